import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stepAt, totpCode } from '../apps/gateway/src/access/people/factors/totp.ts'
import { faultsOf } from './harness/access.ts'
import { browserPath, launchBrowser, openVisit } from './harness/browser.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { title } from './harness/operator.ts'

const password = 'four words and a comma'
const require = createRequire(import.meta.url)

interface Reader {
  prepareZXingModule: (options: { overrides: { wasmBinary: ArrayBuffer } }) => void
  readBarcodes: (picture: Uint8Array, options: { formats: string[] }) => Promise<{ text: string }[]>
}

/** What a QR code in a picture says, by another program than ours. */
async function readQrCode(png: Buffer): Promise<string | undefined> {
  const reader = require('zxing-wasm/reader') as Reader
  const wasmBinary = new Uint8Array(readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm'))).buffer
  reader.prepareZXingModule({ overrides: { wasmBinary } })
  return (await reader.readBarcodes(new Uint8Array(png), { formats: ['QRCode'] }))[0]?.text
}

/** An authenticator with a fingerprint, as the browser's developer tools make one. */
async function addAuthenticator(page: Page): Promise<CDPSession> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('WebAuthn.enable')
  await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return tools
}

describe.skipIf(!browserPath)('second factors', () => {
  let gateway: GatewayProcess
  let browser: Browser
  let url: string
  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([
      startGateway({ env: { REQUIRE_SECOND_FACTOR: 'administrators' } }),
      launchBrowser(),
    ])
    // Passkeys need a host name; this one means this machine.
    url = gateway.url.replace('127.0.0.1', 'localhost')
  })
  afterAll(async () => {
    await browser.close()
    await gateway.remove()
  })

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  async function join(page: Page, name: string, role: 'administrator' | 'operator') {
    const email = `${name}@clinic.example`
    const { path } = await gateway.client.invitePerson({ body: { name, email, role } })
    await page.goto(url + path)
    await page.getByLabel('New password').fill(password)
    await press(page, 'Save password and sign in')
    return email
  }
  async function signIn(page: Page, email: string) {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await press(page, 'Sign in')
  }
  const logOut = (page: Page) => press(page, 'Log out')

  it('a passkey is set up where it is required, and signs in alone and after the password', async () => {
    const { page, faults } = await openVisit(browser, url, { reducedMotion: 'reduce' }, / 403 .*\/admin\//)
    await addAuthenticator(page)
    const email = await join(page, 'Ada', 'administrator')
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    for (const width of [1360, 390]) {
      await page.setViewportSize({ width, height: 850 })
      faults.push(...(await faultsOf(page, 'enrol', width)))
    }
    await page.setViewportSize({ width: 1360, height: 850 })
    await press(page, 'Add a passkey')
    await page.getByLabel('Name').fill('Blue key')
    await press(page, 'Add passkey')
    await page.getByRole('dialog', { name: 'Recovery codes' }).waitFor()
    for (const width of [1360, 390]) {
      await page.setViewportSize({ width, height: 850 })
      faults.push(...(await faultsOf(page, 'recovery-codes', width)))
    }
    await page.setViewportSize({ width: 1360, height: 850 })
    const code = await page.getByRole('dialog').locator('li').first().innerText()
    await press(page, 'I’ve saved them')
    await title(page, 'Dashboard')

    await logOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    for (const width of [1360, 390]) {
      await page.setViewportSize({ width, height: 850 })
      faults.push(...(await faultsOf(page, 'login-passkey', width)))
    }
    await page.setViewportSize({ width: 1360, height: 850 })
    await press(page, 'Sign in with a passkey')
    await title(page, 'Dashboard')

    await logOut(page)
    await signIn(page, email)
    await press(page, 'Use a passkey')
    await title(page, 'Dashboard')

    await logOut(page)
    await signIn(page, email)
    await press(page, 'Use a recovery code')
    await page.getByLabel('Recovery code').fill(code)
    await press(page, 'Sign in')
    await title(page, 'Dashboard')
    await press(page, 'Ada')
    await page.getByText(/^9 of 10 left/).waitFor()
    await page.getByText('Blue key').waitFor()
    await page.context().close()
    expect(faults).toEqual([])
    const { items } = await gateway.client.listLogs({ query: { event: 'person_signed_in' } })
    const ways = ['password+recovery', 'password+passkey', 'passkey']
    expect(items).toMatchObject(ways.map((how) => ({ how, name: 'Ada' })))
  })

  it('an authenticator app is set up from its QR code, and asked for', async () => {
    const { page, faults } = await openVisit(browser, url, { reducedMotion: 'reduce' }, / 403 .*\/admin\//)
    const email = await join(page, 'Grace', 'operator')
    await title(page, 'Dashboard')
    await press(page, 'Grace')
    await page.getByText('This session').waitFor()
    for (const width of [1360, 390]) {
      await page.setViewportSize({ width, height: 850 })
      faults.push(...(await faultsOf(page, 'account', width)))
    }
    await page.setViewportSize({ width: 1360, height: 850 })
    await press(page, 'Set up')
    const picture = page.getByRole('img', { name: 'QR code for your authenticator app' })
    const said = new URL((await readQrCode(await picture.screenshot())) ?? '')
    expect([said.protocol, said.host, decodeURIComponent(said.pathname)]).toEqual([
      'otpauth:',
      'totp',
      `/Faxdeck (localhost):${email}`,
    ])
    for (const width of [1360, 390]) {
      await page.setViewportSize({ width, height: 850 })
      faults.push(...(await faultsOf(page, 'authenticator-app', width)))
    }
    await page.setViewportSize({ width: 1360, height: 850 })
    const secret = said.searchParams.get('secret') ?? ''
    const code = (steps: number) => totpCode(secret, stepAt(new Date()) + steps)
    await page.getByLabel('2. Enter the code the app shows').fill(code(0))
    await press(page, 'Turn on')
    await press(page, 'I’ve saved them')
    await page.getByText(/^10 of 10 left/).waitFor()

    await logOut(page)
    await signIn(page, email)
    await page.getByLabel('Code').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText(/^The code is wrong/).waitFor()
    for (const width of [1360, 390]) {
      await page.setViewportSize({ width, height: 850 })
      faults.push(...(await faultsOf(page, 'second-step', width)))
    }
    await page.setViewportSize({ width: 1360, height: 850 })
    // The code that set it up was used; the next one is good a step early.
    await page.getByLabel('Code').fill(code(1))
    await page.keyboard.press('Enter')
    await title(page, 'Dashboard')
    await page.context().close()
    expect(faults).toEqual([])
  })
})
