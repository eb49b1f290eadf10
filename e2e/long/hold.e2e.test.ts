import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PostgresServer } from '../../apps/gateway/src/testing/postgres-server.ts'
import { serve } from '../../packages/provider-kit/src/emulator/index.ts'
import { startFaxdeck } from '../harness/command-line.ts'
import { type GatewayProcess, prepareGateway, unlimited } from '../harness/gateway-process.ts'
import { pdfFile } from '../harness/paper.ts'

const patience = { timeout: 60_000, interval: 100 }

/** Phaxio as far as it matters: it asks for patience until it opens, and counts the faxes that it takes. */
async function phaxio() {
  const taken: string[] = []
  let isOpen = false
  const server = await serve(({ method, body }) => {
    if (method !== 'POST') return { status: 200, body: { success: true, data: [], paging: { total: 0 } } }
    if (!isOpen) return { status: 429, headers: { 'retry-after': '1' }, body: { success: false, message: 'Later.' } }
    taken.push(String(body))
    return { status: 200, body: { success: true, data: { id: 40 + taken.length } } }
  })
  onTestFinished(() => server.close())
  const account = { PHAXIO_API_KEY: 'k', PHAXIO_API_SECRET: 's', PHAXIO_BASE_URL: `${server.origin}/v2.1` }
  const env = { ...unlimited, ...account, FAX_DISABLED: 'false', FAX_BACKEND: 'phaxio' }
  return { taken, env, open: () => (isOpen = true) }
}

it('a move to PostgreSQL holds nothing, `hold` holds what waits there, and only `release` sends it', async () => {
  const postgres = await PostgresServer.start()
  onTestFinished(() => postgres.remove())
  const url = await postgres.newDatabase()
  const provider = await phaxio()
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-hold-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))

  const old = await prepareGateway({ env: provider.env })
  onTestFinished(() => old.remove())
  await old.start()
  const faxdeck = startFaxdeck(folder, { FAX_DATA_DIR: old.directory, FAXDECK_API_KEY: old.key })
  const run = async (args: string[], env: Record<string, string>) => {
    const { code, out, error } = await faxdeck([...args, '--json'], { env })
    expect(code, error).toBe(0)
    return JSON.parse(out)
  }
  const submit = async ({ client }: GatewayProcess, to: string) =>
    (await client.submitFax({ form: { to, file: pdfFile('letter.pdf', [['Held after a restore.']]) } })).id
  const held = async ({ client }: GatewayProcess) => (await client.listJobs({ query: { status: 'held' } })).jobs
  const id = await submit(old, '+13035550123')
  await old.stop()
  const moved = await faxdeck(['migrate', '-'], { input: url })
  expect(moved.code, moved.error).toBe(0)

  const now = await prepareGateway({ env: { ...provider.env, DATABASE_URL: url, FAX_DATA_DIR: old.directory } })
  onTestFinished(() => now.remove())
  const env = { FAXDECK_URL: now.url, FAXDECK_API_KEY: now.key, DATABASE_URL: url }
  await now.start()
  const waiting = await now.client.getJob({ params: { id } })
  expect([waiting.held ?? null, ['queued', 'in_progress'].includes(waiting.status)]).toEqual([null, true])
  expect(await held(now)).toEqual([])
  await now.stop()

  expect(await run(['hold'], env)).toMatchObject({ held: 1 })
  provider.open()
  await now.start()
  expect(await held(now)).toMatchObject([{ id }])
  await submit(now, '+13035550124')
  await expect.poll(() => provider.taken.length, patience).toBe(1)
  expect(provider.taken[0]).toContain('+13035550124')
  expect((await now.client.getHealthStatus({})).jobs).toMatchObject({ held: 1, queued: 0 })

  expect(await run(['release', id], env)).toMatchObject({ released: [{ id }], refused: [] })
  await expect.poll(() => provider.taken.length, patience).toBe(2)
  expect(provider.taken[1]).toContain('+13035550123')
}, 240_000)
