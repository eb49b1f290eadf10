import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browserPath, keepPicture, launchBrowser, openVisit, type Visit, watch } from './harness/browser.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { goTo, logIn, openConsole, returnToConsole, title } from './harness/operator.ts'
import { pdfOf } from './harness/paper.ts'

const wrongKey = 'Invalid API key or insufficient permissions'
const pages = [
  ['Referral', 'Patient seen on 3 November.', 'Please review (urgent).'],
  ['Page two', 'Signature: ____________'],
]

describe.skipIf(!browserPath)('an operator at the console', () => {
  let gateway: GatewayProcess
  let browser: Browser
  let visit: Visit
  let page: Page

  beforeAll(async () => {
    gateway = await startGateway()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await gateway.remove()
  })
  beforeEach(async () => {
    // The browser itself reports the refusals that these stories provoke.
    visit = await openVisit(browser, gateway.url, {}, /status of 401 .*\/admin\/config/)
    page = visit.page
  })
  afterEach(async () => {
    await page.context().close()
    expect(visit.faults).toEqual([])
  })

  it('is told that a key is wrong, logs in with the right one and finds the dashboard', async () => {
    await openConsole(page, gateway)
    const login = page.getByRole('button', { name: 'Login' })
    await login.waitFor()
    expect(await login.isDisabled()).toBe(true)
    await logIn(page, 'not-the-key')
    await page.getByText(wrongKey).waitFor()
    await page.getByLabel('API Key', { exact: true }).fill(gateway.key)
    await page.keyboard.press('Enter')
    await title(page, 'Dashboard')
    await page.getByText('Healthy', { exact: true }).waitFor()
    await page.getByText('LOCAL ONLY').waitFor()
    await page.getByText(/nothing leaves this machine/).waitFor()
    expect(await page.title()).toContain('Dashboard')
    await keepPicture(page, 'story-dashboard')
  })

  it('sends a PDF after seeing its pages, follows it, and opens it in the inbox', async () => {
    await returnToConsole(page, gateway)
    await goTo(page, 'Send')
    await page.getByLabel('Destination number').fill('+1 555 555 0123')
    const file = { name: 'referral.pdf', mimeType: 'application/pdf', buffer: pdfOf(pages) }
    await page.getByLabel('Document', { exact: true }).setInputFiles(file)
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('2 pages').waitFor()
    await expectPicture(preview.getByRole('img', { name: 'Page 1 of 2' }))
    await expectPicture(preview.getByRole('img', { name: 'Page 2 of 2' }))
    await keepPicture(page, 'story-send')
    await page.getByRole('button', { name: 'Send', exact: true }).and(page.locator('[type=submit]')).click()

    const sent = page.getByRole('region', { name: 'Sent' })
    await sent.getByText('Test passed').waitFor()
    await sent.getByRole('button').click()
    const job = page.getByRole('dialog', { name: /^Fax [0-9a-f]{8}$/ })
    await expectPicture(job.getByRole('img', { name: 'Page 1 of 2' }))
    expect(await job.getByRole('list', { name: 'Timeline' }).getByRole('listitem').count()).toBeGreaterThanOrEqual(3)
    await job.getByText('referral.pdf', { exact: true }).waitFor()
    await keepPicture(page, 'story-job')
    const downloading = page.waitForEvent('download')
    await job.getByRole('button', { name: 'Download PDF' }).click()
    expect((await downloading).suggestedFilename()).toMatch(/^fax_[0-9a-f]{32}\.pdf$/)
    await job.getByRole('button', { name: 'Close' }).last().click()
    await job.waitFor({ state: 'hidden' })

    await goTo(page, 'Inbox')
    await page.getByRole('row', { name: /Open/ }).first().click()
    const received = page.getByRole('dialog').last()
    await expectPicture(received.getByRole('img', { name: /^Page 1 of 2/ }))
    await keepPicture(page, 'story-inbox')
  })

  it('creates a key, sees its token once, rotates it and revokes it', async () => {
    await returnToConsole(page, gateway)
    await goTo(page, 'Keys', 'Settings')
    await page.getByRole('button', { name: 'Create Your First Key' }).click()
    const create = page.getByRole('dialog', { name: 'Create a key' })
    await create.getByLabel('Key Name').fill('Front desk')
    await create.getByLabel('Owner').fill('Dr. Alvarez')
    await create.getByRole('button', { name: 'Create', exact: true }).click()
    const token = await readToken(page)
    expect(token).toMatch(/^fdk_live_[0-9a-f]{12}_[\w-]{43}$/)
    expect(await statusWith(token)).toBe(404)

    await page.getByRole('button', { name: 'Rotate Front desk' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
    const rotated = await readToken(page)
    expect(await statusWith(token)).toBe(401)
    expect(await statusWith(rotated)).toBe(404)

    await page.getByRole('button', { name: 'Revoke Front desk' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('button', { name: 'Create Your First Key' }).waitFor()
    expect(await statusWith(rotated)).toBe(401)
    expect(await page.content()).not.toContain(rotated)
  })

  it('chooses a theme, which stays and reaches the other tabs', async () => {
    await returnToConsole(page, gateway)
    const other = await page.context().newPage()
    watch(other, gateway.url, visit.faults)
    await openConsole(other, gateway)
    await title(other, 'Dashboard')
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    for (const tab of [page, other]) await tab.locator('html[data-theme=dark]').waitFor()
    await page.reload()
    await page.locator('html[data-theme=dark]').waitFor()
  })

  it('goes back, forward and reloads without losing the place or changing the address', async () => {
    await returnToConsole(page, gateway)
    const address = page.url()
    await goTo(page, 'Jobs')
    await title(page, 'Jobs')
    await goTo(page, 'Inbox')
    await title(page, 'Inbox')
    await page.goBack()
    await title(page, 'Jobs')
    await page.reload()
    await title(page, 'Jobs')
    await page.goForward()
    await title(page, 'Inbox')
    expect(page.url()).toBe(address)
  })

  it('logs out in every tab', async () => {
    await returnToConsole(page, gateway)
    const other = await page.context().newPage()
    watch(other, gateway.url, visit.faults)
    await openConsole(other, gateway)
    await title(other, 'Dashboard')
    await goTo(page, 'Jobs')
    await page.getByRole('button', { name: 'Log out' }).click()
    for (const tab of [page, other]) await tab.getByRole('button', { name: 'Login' }).waitFor()
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(gateway.key)
    await logIn(page, gateway.key)
    await title(page, 'Dashboard')
  })

  /** What a call answers to a token: 404 for a fax that is not there means that the key is good. */
  async function statusWith(token: string): Promise<number> {
    const response = await fetch(`${gateway.url}/fax/${'0'.repeat(32)}`, { headers: { 'x-api-key': token } })
    return response.status
  }
})

/** Waits until an image is not only there but shows something. */
async function expectPicture(image: ReturnType<Page['getByRole']>): Promise<void> {
  await image.scrollIntoViewIfNeeded()
  await expect
    .poll(() => image.evaluate((img: { naturalWidth?: number }) => img.naturalWidth ?? 0), { timeout: 10_000 })
    .toBeGreaterThan(100)
}

/** Reads the token that is shown once, and closes the dialog, which Escape does not. */
async function readToken(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'The key “Front desk”' })
  const token = (await dialog.locator('code').textContent()) ?? ''
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  return token
}
