import Fastify from 'fastify'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import type { ProviderAccess } from '../../base/providers/access.ts'
import { fixedSettings, testContext } from '../../testing/test-context.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { serveReadiness } from './ready.ts'

function readinessOf(database: Database) {
  const app = Fastify()
  onTestFinished(() => app.close())
  const line = { id: 'testline' }
  serveReadiness(
    app,
    testContext({
      database,
      storage: { probe: async () => undefined } as never,
      settings: fixedSettings({ inbound_enabled: true }),
      providers: { outbound: () => line, inbound: () => line, problemOf: () => undefined } as unknown as ProviderAccess,
    }),
  )
  return async () => (await app.inject('/health/ready')).statusCode
}

onSqliteFirst((open, another) => {
  it('is not given while another process keeps what every fax that is accepted needs', async () => {
    const database = await open()
    const ready = readinessOf(database)
    expect(await ready()).toBe(200)
    const frozen = await another(database)
    const thaw = Promise.withResolvers<null>()
    const holds = Promise.withResolvers<null>()
    const held = transact(frozen, async (tx) => {
      await tx.updateTable('audit_head').set({ hash: '' }).execute()
      holds.resolve(null)
      await thaw.promise
    }).catch(() => undefined)
    await holds.promise
    const clock = vi.spyOn(performance, 'now')
    onTestFinished(() => {
      clock.mockRestore()
    })
    const later = performance.now() + 2000
    clock.mockImplementation(() => later)
    expect(await ready()).toBe(503)
    clock.mockRestore()
    thaw.resolve(null)
    await held
    await expect.poll(ready, { timeout: 10_000 }).toBe(200)
  })
})
