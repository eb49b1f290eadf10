import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFaxdeck } from '../harness/command-line.ts'
import { type GatewayProcess, startGateway, unlimited } from '../harness/gateway-process.ts'
import { scanBehindSheet } from '../harness/scan.ts'

let gateway: GatewayProcess
let folder: string
let faxdeck: ReturnType<typeof startFaxdeck>
const number = '+15555550123'
const json = (printed: string) => JSON.parse(printed)

beforeAll(async () => {
  gateway = await startGateway({ env: { ...unlimited, TESTLINE_SECONDS: '0' } })
  folder = mkdtempSync(join(tmpdir(), 'faxdeck-cli-'))
  faxdeck = startFaxdeck(folder, { FAXDECK_URL: gateway.url, FAXDECK_API_KEY: gateway.key })
})
afterAll(async () => {
  await gateway.remove()
  rmSync(folder, { recursive: true, force: true })
})

it('the command line prints separator sheets, and sends a scan by them once', async () => {
  const made = await faxdeck(['separator', number, 'sheet.pdf', '--reference', 'Ann Miller'])
  expect(made).toMatchObject({ code: 0, out: 'sheet.pdf\n' })
  expect(readFileSync(join(folder, 'sheet.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  const alone = await faxdeck(['split', 'sheet.pdf'])
  expect(alone.error).toMatch(/^faxdeck: Page 1 is a separator sheet with no pages after it\..* Nothing was sent\./)
  writeFileSync(join(folder, 'scan.tiff'), await scanBehindSheet(gateway, number))
  const before = (await gateway.client.listJobs({ query: {} })).total
  const quoted = await faxdeck(['split', 'scan.tiff', '--quote'])
  expect(quoted.out).toMatch(/\n2 +\*{8}0123 +Ann Miller +1\n/)
  expect((await gateway.client.listJobs({ query: {} })).total).toBe(before)
  const given = ['split', 'scan.tiff', '--idempotency-key', 'pile', '--json']
  const [first, again] = [await faxdeck([...given, '--wait']), await faxdeck(given)]
  expect(json(first.out).faxes).toMatchObject([{ status: 'SUCCESS', to: '********0123', pages: 1 }])
  expect(json(again.out).faxes[0].id).toBe(json(first.out).faxes[0].id)
  expect((await gateway.client.listJobs({ query: {} })).total).toBe(before + 1)
})
