import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

async function shipping() {
  const folder = await mkdtemp(join(tmpdir(), 'faxdeck-shipped-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'trail.jsonl')
  const gateway = await startGateway({ env: { TRAIL_FILE: path } })
  const copied = async () => (await gateway.client.listTrailCopies({}))[0]
  return { ...gateway, path, copied }
}

describe('a gateway whose audit trail is copied to a file', () => {
  it('copies what happens by itself, and goes on after a restart without repeating', async () => {
    const { client, path, copied, stop, directory } = await shipping()
    await client.createApiKey({ body: { scopes: ['fax:send'] } })
    await expect.poll(async () => (await copied())?.behind).toBe(0)
    const lines = await readFile(path, 'utf8')
    expect(lines).toContain('"event":"api_key_created"')
    await stop()
    const again = await startGateway({ env: { TRAIL_FILE: path }, directory })
    await again.client.createApiKey({ body: { scopes: ['fax:read'] } })
    await expect.poll(async () => (await again.client.listTrailCopies({}))[0]?.behind).toBe(0)
    const numbers = (await readFile(path, 'utf8')).split('\n').flatMap((line) => /^\{"seq":(\d+)/.exec(line)?.[1] ?? [])
    expect(numbers).toEqual(numbers.map((_, at) => String(at + 1)))
  })

  it('says in its diagnostics that entries were cut off', async () => {
    const { client, path, copied, stop, directory } = await shipping()
    for (let n = 0; n < 3; n++) await client.createApiKey({ body: { scopes: ['fax:send'] } })
    await expect.poll(async () => (await copied())?.behind).toBe(0)
    const newest = (await copied())?.copied ?? 0
    await stop()
    const database = new Sqlite(join(directory, 'faxdeck.db'))
    const last = database.prepare('select hash from audit_events where seq = ?').get(newest - 2) as { hash: string }
    database.prepare('delete from audit_events where seq > ?').run(newest - 2)
    database.prepare('update audit_head set seq = ?, hash = ?').run(newest - 2, last.hash)
    database.close()
    const again = await startGateway({ env: { TRAIL_FILE: path }, directory })
    expect(await again.client.verifyAuditChain({})).toMatchObject({ intact: true })
    const { findings } = await again.client.runDiagnostics({})
    const cut = findings.find(({ check }) => check === 'database_has_copied')
    expect(cut).toMatchObject({ passed: false, severity: 'critical' })
    expect(cut?.sentence).toMatch(/From entry \d+ or a later one on/)
    await expect.poll(async () => readFile(path, 'utf8')).toContain('"cut":')
  })
})
