import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, keepPicture, launchBrowser, openVisit } from '../harness/browser.ts'
import { type GatewayProcess, startGateway } from '../harness/gateway-process.ts'
import { goTo, returnToConsole, title } from '../harness/operator.ts'

const env = { TESTLINE_SECONDS: '0', ENABLE_ADMIN_EXEC: 'true', AUDIT_LOG_ENABLED: 'true' }

describe.skipIf(!browserPath)('the tools of the console', () => {
  let gateway: GatewayProcess
  let browser: Browser
  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startGateway({ env }), launchBrowser()])
  })
  afterAll(async () => {
    await browser.close()
    await gateway.remove()
  })

  async function open(tab: string, expected?: RegExp) {
    const { page, faults } = await openVisit(browser, gateway.url, {}, expected)
    await returnToConsole(page, gateway)
    await goTo(page, tab, 'Tools')
    await title(page, tab)
    return { page, faults }
  }

  it('let a person type, complete, paste and stop in the demo terminal', async () => {
    const { page, faults } = await open('Terminal')
    await page.locator('.xterm-screen').waitFor()
    await page.locator('.xterm-helper-textarea').focus()
    await page.keyboard.type('vers')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await terminalShows(page, /Faxdeck \d+\.\d+\.\d+/)
    await paste(page, 'send +15555550104\nhello.txt\n')
    await terminalShows(page, /\$ send \+15555550104 hello\.txt *$/)
    expect((await gateway.client.listJobs({ query: {} })).total).toBe(0)
    await page.keyboard.press('Enter')
    await terminalShows(page, /Fax [0-9a-f]{8} is queued\./)
    await page.keyboard.press('Control+c')
    await terminalShows(page, /\^C/)
    await page.keyboard.press('ArrowUp')
    await terminalShows(page, /\$ send \+15555550104 hello\.txt *$/)
    await page.keyboard.press('Shift+Tab')
    await page.getByRole('button', { name: 'Clear' }).and(page.locator(':focus')).waitFor()
    await keepPicture(page, 'terminal-used')
    await page.context().close()
    expect(faults).toEqual([])
  })

  it('test the authentication and leave no key behind', async () => {
    const { page, faults } = await open('Scripts & Tests', /status of 40[13]/)
    await page.getByRole('button', { name: 'Run Authentication smoke test' }).click()
    await page.getByRole('log', { name: 'Output of Authentication smoke test' }).getByText('PASS').waitFor()
    expect(await gateway.client.listApiKeys({})).toEqual([])
    await page.getByRole('button', { name: 'Run Inbound simulation test' }).click()
    await page.getByRole('log', { name: 'Output of Inbound simulation test' }).getByText('PASS').waitFor()
    await page.getByRole('button', { name: 'Run Conversion self-test' }).click()
    await page.getByRole('log', { name: 'Output of Conversion self-test' }).getByText('Conversion works.').waitFor()
    await keepPicture(page, 'scripts-run')
    await page.context().close()
    expect(faults).toEqual([])
  })

  it('follow the audit trail, read its file, and verify its chain', async () => {
    const { page, faults } = await open('Logs')
    await page.getByRole('switch', { name: 'Follow' }).check()
    await page.getByRole('searchbox').fill('owner:FOLLOWED')
    await page.getByText('No matching entries').waitFor()
    await gateway.client.createApiKey({ body: { owner: 'Followed' } })
    await page.getByRole('button', { name: /^Open API key created/ }).click()
    await page.getByRole('dialog', { name: 'api_key_created' }).getByText('Followed', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Verify chain' }).click()
    await page.getByText(/^\d+ entries checked\. The audit chain is intact/).waitFor()
    await page.getByRole('button', { name: 'File tail' }).click()
    await page.getByText(/audit\.log$/).waitFor()
    await page.getByText(/^1( of 1 read)? entry$/).waitFor()
    await page.context().close()
    expect(faults).toEqual([])
  })
})

/** Waits until the last lines of the terminal read so. */
async function terminalShows(page: Page, wanted: RegExp): Promise<void> {
  const rows = page.locator('.xterm-rows')
  await expect
    .poll(async () => (await rows.locator('> div').allTextContents()).join('\n').replaceAll('\u00a0', ' ').trimEnd(), {
      timeout: 15_000,
    })
    .toMatch(new RegExp(wanted.source, 'm'))
}

/** Pastes as the browser does when a person asks for it. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`{
    const data = new DataTransfer()
    data.setData('text/plain', ${JSON.stringify(text)})
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  }`)
}
