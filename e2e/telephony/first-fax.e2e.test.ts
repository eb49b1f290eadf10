import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, keepPicture, launchBrowser, openVisit } from '../harness/browser.ts'
import { reservePort } from '../../apps/gateway/src/testing/reserve-port.ts'
import { goTo, logIn, title } from '../harness/operator.ts'
import { pdfOf } from '../harness/paper.ts'
import { waitFor } from '../harness/wait.ts'
import { asProgram } from './as-program.ts'
import { Carrier } from './carrier.ts'
import { type AsteriskProgram, findAsterisk } from './install.ts'
import { reserveUdpPort } from './udp-port.ts'

const program = findAsterisk()
// A fax out and one in, one after the other.
const long = process.env.FAXDECK_LONG !== undefined
const script = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))
const stopWithParent = new URL('../../scripts/start/stop-with-parent.mjs', import.meta.url).href

describe.skipIf(!program || !long || !browserPath)('somebody with a trunk and nothing else', () => {
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-first-'))
  let carrier: Carrier
  let browser: Browser
  let child: ChildProcess
  let installed: ReturnType<typeof asProgram>
  let printed = ''

  beforeAll(async () => {
    carrier = await Carrier.start(program as AsteriskProgram)
    installed = asProgram(program as AsteriskProgram)
    browser = await launchBrowser()
    const first = 41_000 + 800 * Math.floor(Math.random() * 15)
    child = spawn(process.execPath, ['--import', stopWithParent, script], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Where Asterisk lies, and addresses that no other test has: what a machine of one's own has by default.
      env: {
        PATH: process.env.PATH ?? '',
        FAX_DATA_DIR: join(directory, 'faxdata'),
        PORT: String(await reservePort()),
        TRUNK_ASTERISK: installed.path,
        TRUNK_BIND: '127.0.0.1',
        TRUNK_SIP_PORT: String(await reserveUdpPort()),
        TRUNK_MEDIA_FIRST: String(first),
        TRUNK_MEDIA_LAST: String(first + 799),
      },
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  })
  afterAll(async () => {
    await browser.close()
    child.kill('SIGTERM')
    await once(child, 'exit')
    await carrier.stop()
    rmSync(installed.directory, { recursive: true, force: true })
    rmSync(directory, { recursive: true, force: true })
  })

  const printedPart = (what: RegExp) => waitFor(String(what), async () => what.exec(printed)?.[1], 120)

  it('comes from npm start and three values to a delivered and a received fax', { timeout: 600_000 }, async () => {
    const begun = performance.now()
    const address = await printedPart(/Faxdeck\s+(http:\S+)/)
    const key = readFileSync(await printedPart(/Key\s+kept in (\S+)/), 'utf8').trim()
    const { page, faults } = await openVisit(browser, new URL(address).origin)
    await page.goto(address)
    await logIn(page, key)
    await page.getByRole('button', { name: 'Set up a provider' }).click()
    await title(page, 'Setup')
    await page.getByRole('radio', { name: /My own SIP trunk/ }).check()
    const next = () => page.getByRole('button', { name: 'Next' }).click()
    await next()
    const account = page.getByRole('region', { name: 'My own SIP trunk' })
    const { user, password } = carrier.options
    await account.getByLabel('SIP server', { exact: true }).fill(carrier.host)
    await account.getByLabel('User', { exact: true }).fill(user)
    await account.getByLabel('Password', { exact: true }).fill(password)
    await next()
    await next()
    await page.getByRole('radio', { name: /Send through My own SIP trunk/ }).check()
    await page.getByRole('button', { name: 'Apply & Reload' }).click()
    await title(page, 'Dashboard')

    await goTo(page, 'Send')
    await page.getByLabel('Destination number').fill('+1 555 777 0001')
    const letter = { name: 'letter.pdf', mimeType: 'application/pdf', buffer: pdfOf([['The first fax.']]) }
    await page.locator('input[type=file][accept*=".pdf"]').setInputFiles(letter)
    await page.getByRole('button', { name: 'Send', exact: true }).and(page.locator('[type=submit]')).click()
    const sent = page.getByRole('region', { name: 'Sent' })
    await sent.getByText('Delivered', { exact: true }).waitFor({ timeout: 240_000 })
    const delivered = performance.now()
    const [fax] = carrier.received('+15557770001')
    expect(fax?.tiff.length).toBeGreaterThan(1000)
    await keepPicture(page, 'first-fax-delivered')

    const tiff = join(directory, 'incoming.tif')
    writeFileSync(tiff, fax?.tiff ?? '')
    await carrier.sendFax('+15551230001', tiff)
    await goTo(page, 'Inbox')
    await page.getByRole('row', { name: /Open/ }).first().click({ timeout: 240_000 })
    const received = page.getByRole('dialog').last()
    await received.getByRole('img', { name: /^Page 1 of 1/ }).waitFor()
    await keepPicture(page, 'first-fax-received')
    const seconds = (from: number) => Math.round((performance.now() - from) / 1000)
    console.log(
      `From npm start to a delivered fax ${Math.round((delivered - begun) / 1000)} s, to a received one ${seconds(begun)} s.`,
    )
    expect(faults).toEqual([])
  })
})
