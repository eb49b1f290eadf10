import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { otherBrowsers, type OtherBrowser } from './harness/other-browsers.ts'
import { pdfOf } from './harness/paper.ts'
import { waitFor } from './harness/wait.ts'

/** In the page: what a person would find by its name, in the newest dialog where one is open. */
const find = `(kind, name) => {
  const dialogs = [...document.querySelectorAll('dialog[open]')]
  const place = dialogs.at(-1) ?? document
  const says = (element) => (element.getAttribute('aria-label') ?? element.textContent).trim()
  const isShown = (element) => element.getClientRects().length > 0
  const found =
    kind === 'field'
      ? [...document.querySelectorAll('label')].find((label) => says(label).startsWith(name))?.control
      : [...place.querySelectorAll(kind)].find((element) => isShown(element) && says(element).startsWith(name))
  found?.scrollIntoView({ block: 'center' })
  return found ?? null
}`

for (const { name, open } of otherBrowsers) {
  describe.skipIf(!open)(`an operator in ${name}`, () => {
    let gateway: GatewayProcess
    let browser: OtherBrowser
    const there = (kind: string, name: string) =>
      waitFor(
        `${kind} "${name}"`,
        async () => (await browser.call(`(...which) => Boolean((${find})(...which))`, kind, name)) || undefined,
      )
    const press = async (kind: string, name: string) => {
      await there(kind, name)
      await browser.click(find, kind, name)
    }
    const fill = async (label: string, text: string) => {
      await press('field', label)
      await browser.type(text)
    }

    beforeAll(async () => {
      gateway = await startGateway()
      if (open) browser = await open()
    })
    afterAll(async () => {
      await browser.close()
      await gateway.remove()
    })

    it('logs in, sends a PDF, sees that it arrived, and reads it in the inbox', async () => {
      await browser.go(`${gateway.url}/`)
      await fill('API Key', gateway.key)
      await press('button', 'Login')
      await there('h1', 'Dashboard')

      await press('nav button', 'Send')
      await there('h1', 'Send')
      await fill('Destination number', '+15555550123')
      const folder = mkdtempSync(join(tmpdir(), 'faxdeck-e2e-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const file = join(folder, 'referral.pdf')
      writeFileSync(file, pdfOf([['Referral', 'Patient seen on 3 November.'], ['Page two']]))
      await browser.chooseFile(file, `() => document.querySelector('input[type=file][accept*=".pdf"]')`)
      await drawn('Page 1 of 2')
      await drawn('Page 2 of 2')
      await press('button[type=submit]', 'Send')
      await there('[role=status], [data-tone]', 'Test passed')

      await press('nav button', 'Inbox')
      await there('h1', 'Inbox')
      await press('td button', '')
      await drawn('Page 1 of 2')
      expect(browser.faults).toEqual([])
    })

    /** Waits until a page is drawn, and not only asked for. */
    async function drawn(alt: string) {
      const isDrawn = `(alt) => [...document.querySelectorAll('img')].some((image) => image.alt.startsWith(alt) && image.naturalWidth > 100)`
      await waitFor(`the picture "${alt}"`, async () => (await browser.call(isDrawn, alt)) || undefined)
    }
  })
}
