import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Emulator } from '../packages/provider-kit/src/emulator/index.ts'
import { emulate } from '../packages/providers/src/sip/emulator.ts'
import { browserPath, keepPicture, launchBrowser, openVisit, type Visit } from './harness/browser.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { goTo, returnToConsole, title } from './harness/operator.ts'
import { pdfOf } from './harness/paper.ts'
import { newestInbound } from './harness/received.ts'

const station = '+15555550000'

describe.skipIf(!browserPath)('a person who sets Faxdeck up', () => {
  let gateway: GatewayProcess
  let asterisk: Emulator
  let browser: Browser
  let visit: Visit
  let page: Page

  beforeAll(async () => {
    gateway = await startGateway({ env: { FAX_DISABLED: '', INBOUND_ENABLED: '' } })
    // As a fresh installation begins: on the test line, by settings that a person may change.
    await gateway.client.updateSettings({ body: { fax_disabled: true, inbound_enabled: false } })
    asterisk = await emulate({ gatewayUrl: gateway.url })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await asterisk.close()
    await gateway.remove()
  })
  beforeEach(async () => {
    visit = await openVisit(browser, gateway.url)
    page = visit.page
  })
  afterEach(async () => {
    await page.context().close()
    expect(visit.faults).toEqual([])
  })

  const next = () => page.getByRole('button', { name: 'Next' }).click()
  const account = () => page.getByRole('region', { name: 'Asterisk (SIP)' })

  it('goes from the test line to a provider that carries faxes, step by step', async () => {
    await returnToConsole(page, gateway)
    await page.getByRole('button', { name: 'Set up a provider' }).click()
    await title(page, 'Setup')
    await page.getByRole('radio', { name: /^Asterisk/ }).check()
    await page.getByRole('switch', { name: 'Receive faxes' }).check()
    await keepPicture(page, 'setup-1-choose')

    await next()
    const { env } = asterisk
    await account()
      .getByLabel('AMI host', { exact: true })
      .fill(env.ASTERISK_AMI_HOST ?? '')
    await account()
      .getByLabel('AMI port', { exact: true })
      .fill(env.ASTERISK_AMI_PORT ?? '')
    await account()
      .getByLabel('AMI user', { exact: true })
      .fill(env.ASTERISK_AMI_USERNAME ?? '')
    await account().getByLabel('AMI password', { exact: true }).fill('not the password')
    await account()
      .getByLabel('Internal secret', { exact: true })
      .fill(env.ASTERISK_INBOUND_SECRET ?? '')
    await account().getByLabel('Station id', { exact: true }).fill(station)
    await account().getByRole('button', { name: 'Validate Provider' }).click()
    await account().getByText('Review checks').waitFor()
    await account()
      .getByLabel('AMI password', { exact: true })
      .fill(env.ASTERISK_AMI_PASSWORD ?? '')
    await account().getByRole('button', { name: 'Validate Provider' }).click()
    await account().getByText('All checks passed').waitFor()
    await keepPicture(page, 'setup-2-credentials')

    await next()
    await page.getByRole('switch', { name: 'Audit log file' }).check()
    await keepPicture(page, 'setup-3-security')
    await next()
    await page.getByRole('radio', { name: /Send through Asterisk/ }).check()
    await keepPicture(page, 'setup-4-apply')
    await page.getByRole('button', { name: 'Apply & Reload' }).click()
    await page.getByText('Configuration applied successfully.').waitFor()
    await title(page, 'Dashboard')
    await page.getByText('Backend: Asterisk (SIP)').waitFor()
    expect(await page.getByText(/nothing leaves this machine/).count()).toBe(0)
    await keepPicture(page, 'setup-5-dashboard')
    await page.getByText('Configuration applied successfully.').waitFor({ state: 'detached' })
  })

  it('finds all of it in force after a restart, secrets unseen', async () => {
    expect(await gateway.stop()).toBe(0)
    await gateway.start()
    expect(await gateway.client.getSettings({})).toMatchObject({
      backend: { type: 'sip', disabled: false },
      audit_log_enabled: true,
      inbound: { enabled: true },
    })
    await returnToConsole(page, gateway)
    await goTo(page, 'Setup', 'Settings')
    await page.locator('label', { hasText: 'Asterisk' }).getByText('Set up', { exact: true }).waitFor()
    expect(await page.getByRole('radio', { name: /^Asterisk/ }).isChecked()).toBe(true)
    await next()
    expect(await account().getByLabel('Station id', { exact: true }).inputValue()).toBe(station)
    expect(await account().getByLabel('AMI password', { exact: true }).inputValue()).toBe('')
    expect(await page.content()).not.toContain(asterisk.env.ASTERISK_AMI_PASSWORD)
  })

  it('sends a real test page, and sees a received fax verified', async () => {
    await returnToConsole(page, gateway)
    await goTo(page, 'Setup', 'Settings')
    const steps = page.getByRole('navigation', { name: 'Steps' })
    await steps.getByRole('button', { name: /Apply & Export/ }).click()
    await page.getByLabel('Fax number (your own or one you know)').fill('+15555550123')
    await page.getByRole('button', { name: 'Send test page' }).click()
    const question = page.getByRole('dialog')
    await question.getByText(/a real call through Asterisk \(SIP\)/).waitFor()
    await question.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Delivered', { exact: true }).waitFor()

    await steps.getByRole('button', { name: /Configure Credentials/ }).click()
    await page.getByRole('button', { name: 'Start Verify Inbound' }).click()
    await page.getByText(/Check \d+ of 30/).waitFor()
    await asterisk.receive({ from: '+15551234567', to: station, pages: 1, pdf: pdfOf([['Received.']]) })
    await page.getByText('Inbound verified (event received)').waitFor()
    expect(await newestInbound(gateway.client)).toMatchObject({ backend: 'sip', is_test: false })
    await keepPicture(page, 'setup-6-verified')
  })
})
