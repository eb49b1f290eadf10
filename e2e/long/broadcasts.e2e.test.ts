import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, launchBrowser, openVisit } from '../harness/browser.ts'
import { type GatewayProcess, startGateway } from '../harness/gateway-process.ts'
import { goTo, returnToConsole, title } from '../harness/operator.ts'
import { pdfOf } from '../harness/paper.ts'

/** Slow enough to be paused halfway, and quick enough to make progress while somebody looks. */
const env = { TESTLINE_SECONDS: '1', LANE_CONCURRENCY: '4' }

const number = (n: number) => `+1555555${2000 + n}`
const distinct = 980
const duplicates = ['(555) 555-2000', ...Array.from({ length: 11 }, (_, n) => number(n + 1))]
const invalid = ['abc', '911', '+1', '12345', 'n/a', '555-CALL', '—', 'none']
/** A thousand rows as a spreadsheet gives them. */
const rows = [
  'Fax\tName',
  ...Array.from({ length: distinct }, (_, n) => `${number(n)}\tPractice ${n}`),
  ...duplicates.map((to) => `${to}\tAgain`),
  ...invalid.map((to) => `${to}\tNobody`),
]

/** Pastes as a person does: through the clipboard, by keyboard. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.getByLabel('Destination number').focus()
  await page.keyboard.press('Control+V')
}

describe.skipIf(!browserPath)('a broadcast at the console', () => {
  let gateway: GatewayProcess
  let browser: Browser

  beforeAll(async () => {
    gateway = await startGateway({ env })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await gateway.remove()
  })

  it('goes to a thousand pasted rows, is paused, canceled, and read as CSV, and its numbers agree everywhere', async () => {
    const { page, faults } = await openVisit(browser, gateway.url, { acceptDownloads: true })
    await returnToConsole(page, gateway)
    await goTo(page, 'Send')
    await title(page, 'Send')
    await paste(page, rows.join('\n'))
    await page.getByText('980 numbers, names: 980 of 980, 12 duplicates removed, 8 invalid').waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const list = page.getByRole('dialog', { name: 'Recipients' })
    expect(await list.getByRole('list', { name: 'Invalid' }).getByRole('listitem').count()).toBe(invalid.length)
    await list.getByText('Row 982: (555) 555-2000, Again').waitFor()
    await list.getByRole('button', { name: 'Close' }).last().click()
    const file = { name: 'flu-season.pdf', mimeType: 'application/pdf', buffer: pdfOf([['Flu shots are here.']]) }
    await page.getByLabel('Document', { exact: true }).setInputFiles(file)
    await page.getByRole('button', { name: 'Send to 980 numbers' }).click()
    const question = page.getByRole('dialog', { name: 'Send to 980 numbers?' })
    await question.getByText('Left out: 12 duplicates and 8 invalid rows.').waitFor()
    expect((await gateway.client.listJobs({ query: {} })).total).toBe(0)
    await question.getByRole('button', { name: 'Send to 980 numbers' }).click()

    await title(page, 'flu-season.pdf')
    const bar = page.getByRole('progressbar', { name: 'Progress' })
    await expect
      .poll(async () => Number(await bar.getAttribute('aria-valuenow')), { timeout: 30_000 })
      .toBeGreaterThan(2)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/nothing new is sent until you resume/).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.getByRole('button', { name: 'Cancel the rest' }).click()
    const really = page.getByRole('dialog', { name: 'Cancel the rest of this broadcast?' })
    await really.getByRole('button', { name: 'Cancel the rest' }).click()
    await expect.poll(async () => await bar.getAttribute('aria-valuenow'), { timeout: 60_000 }).toBe('980')

    const [made] = (await gateway.client.listBroadcasts({ query: {} })).broadcasts
    expect(made).toMatchObject({ state: 'finished', faxes: distinct })
    const { delivered = 0, cancelled = 0 } = made?.counts ?? {}
    expect(delivered + cancelled).toBe(distinct)
    const counts = page.getByRole('list', { name: 'Faxes by outcome' })
    await counts.getByRole('button', { name: `${delivered} Test passed`, exact: true }).waitFor()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1)
    const outcomes = lines.map((line) => line.split(',')[3])
    expect(lines.map((line) => line.split(',')[0]?.replace(/^'/, '')).toSorted()).toEqual(
      Array.from({ length: distinct }, (_, n) => number(n)).toSorted(),
    )
    expect(outcomes.filter((outcome) => outcome === 'test passed')).toHaveLength(delivered)
    expect(outcomes.filter((outcome) => outcome === 'cancelled')).toHaveLength(cancelled)

    await counts.getByRole('button', { name: `${cancelled} Canceled`, exact: true }).click()
    await page.getByRole('heading', { name: 'Recipients: Canceled' }).waitFor()
    await page.getByRole('button', { name: 'Show in Jobs' }).click()
    await title(page, 'Jobs')
    await page.getByRole('button', { name: 'Remove the filter Canceled' }).waitFor()
    await page.getByText(`${cancelled} faxes`, { exact: true }).waitFor()
    await page.context().close()
    expect(faults).toEqual([])
  })
})
