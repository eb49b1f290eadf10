import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PostgresServer } from '../../apps/gateway/src/testing/postgres-server.ts'
import { startFaxdeck } from '../harness/command-line.ts'
import { prepareGateway, startGateway, unlimited } from '../harness/gateway-process.ts'
import { pdfOf } from '../harness/paper.ts'

const json = (printed: string) => JSON.parse(printed)

function folderWithLetter(): string {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'letter.pdf'), pdfOf([['From the command line.']]))
  return folder
}

it('serves the demo of the console until it is told to stop', async () => {
  const demo = startFaxdeck(folderWithLetter(), {}).spawn(['demo'])
  let said = ''
  demo.stdout.on('data', (data) => (said += String(data)))
  demo.stderr.on('data', (data) => (said += String(data)))
  const address = () => /Faxdeck as a demo: (http\S+)/.exec(said)?.[1]
  await expect.poll(address, { timeout: 120_000 }).toBeTruthy()
  expect(await (await fetch(address() ?? '')).text()).toContain('<title>')
  demo.kill('SIGTERM')
  const [code] = await once(demo, 'close')
  expect(code).toBe(0)
}, 150_000)

it('a move to PostgreSQL brings every row along, once, while no gateway runs', async () => {
  const server = await PostgresServer.start()
  onTestFinished(() => server.remove())
  const [url, other] = [await server.newDatabase(), await server.newDatabase()]
  const old = await startGateway({ env: { ...unlimited, TESTLINE_SECONDS: '0' } })
  onTestFinished(() => old.remove())
  const env = { FAX_DATA_DIR: old.directory }
  const faxdeck = startFaxdeck(folderWithLetter(), { FAXDECK_API_KEY: old.key })
  const sent = await faxdeck(['send', 'letter.pdf', '+15555550123', '--wait', '--json', '--url', old.url])
  const { id } = json(sent.out).faxes[0]
  expect((await faxdeck(['migrate', '-'], { env, input: url })).error).toContain('Another gateway is running')
  await old.stop()
  const moved = await faxdeck(['migrate', '-', '--json'], { env, input: url })
  expect(moved).toMatchObject({ code: 0, error: '' })
  expect(json(moved.out)).toContainEqual(expect.objectContaining({ table: 'fax_jobs', rows: 1 }))
  expect((await faxdeck(['migrate', '-'], { env, input: url })).error).toContain('already has data')
  expect(json((await faxdeck(['migrate', '-', '--json'], { env, input: other })).out)).toEqual(json(moved.out))
  const now = await prepareGateway({ env: { ...unlimited, DATABASE_URL: url, FAX_DATA_DIR: old.directory } })
  onTestFinished(() => now.remove())
  await now.start()
  expect(await now.client.getJob({ params: { id } })).toMatchObject({ status: 'SUCCESS' })
  expect(await now.client.verifyAuditChain({})).toMatchObject({ intact: true })
})
