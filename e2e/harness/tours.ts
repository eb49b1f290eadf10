import type { Page } from 'playwright-core'
import { goTo, title } from './operator.ts'
import { pdfOf } from './paper.ts'
import { calm } from './screens.ts'

/** Opens the details of the first fax whose row says this. */
export async function openJob(page: Page, row: RegExp): Promise<void> {
  await goTo(page, 'Jobs')
  await title(page, 'Jobs')
  const entry = page.getByRole('row', { name: row }).or(page.getByRole('listitem').filter({ hasText: row }))
  await entry
    .getByRole('button', { name: /^Open fax/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('list', { name: 'Timeline' }).waitFor()
}

export async function closeDialog(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
}

const lines = ['Dear colleague,', 'thank you for seeing this patient.', 'With kind regards']

/** On the Send screen: a number and a document of three pages, not sent. */
export async function composeFax(page: Page, name = 'referral.pdf'): Promise<void> {
  await page.getByLabel('Destination number', { exact: true }).fill('+15555550123')
  const buffer = pdfOf([lines, lines, lines])
  await page.locator('input[type=file][accept*=".pdf"]').setInputFiles({ name, mimeType: 'application/pdf', buffer })
  await page.getByRole('region', { name: 'Preview' }).getByText('3 pages').waitFor()
}

/** On the Send screen: a cover page before what is there. */
export async function addCoverPage(page: Page): Promise<void> {
  const template = page.getByLabel('Cover page', { exact: true })
  await template.selectOption({ index: 1 })
  await page.getByLabel('For', { exact: true }).fill('Dr. Alvarez')
  await page.getByLabel('Subject', { exact: true }).fill('Referral')
  await page.getByRole('region', { name: 'Preview' }).getByText('4 pages').waitFor()
  await calm(page)
  await template.scrollIntoViewIfNeeded()
}

/** In the terminal: a few commands and their answers. */
export async function useTerminal(page: Page): Promise<void> {
  await page.locator('.xterm-screen').waitFor()
  await page.locator('.xterm-helper-textarea').focus()
  for (const command of ['status', 'jobs', 'inbox']) {
    await page.keyboard.type(command)
    await page.keyboard.press('Enter')
    await calm(page)
  }
}
