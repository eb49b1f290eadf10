import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, keepPicture, launchBrowser, openVisit } from '../harness/browser.ts'
import { DemoProcess } from '../harness/demo-process.ts'
import { goTo, logIn, title } from '../harness/operator.ts'
import { waitFor } from '../harness/wait.ts'

const folderOf = (path: string) => fileURLToPath(new URL(`../../${path}/`, import.meta.url))
/** Words that only the demo brings: of the worker, of its library, of the world that is made up. */
const ofTheDemo = ['mockServiceWorker', '[MSW]', '000000000000_bootstrap', 'discharge-summary']

/** Which of the demo's words the files of a built console hold. */
function demoWordsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|html|css)$/.test(name),
  )
  expect(files.length).toBeGreaterThan(10)
  const text = files.map((name) => name + readFileSync(join(folder, name), 'utf8')).join('\n')
  return ofTheDemo.filter((word) => text.includes(word))
}

/** What a screen says has failed. */
async function complaintsOf(page: Page): Promise<string[]> {
  await page.waitForFunction("!document.querySelector('main [aria-busy=true]')")
  const said = await page.getByRole('alert').allInnerTexts()
  return said.filter((text) => text.trim() !== '')
}

describe.skipIf(!browserPath)('the demo', () => {
  let demo: DemoProcess
  let address: string
  let browser: Browser

  beforeAll(async () => {
    demo = new DemoProcess()
    ;[browser, address] = await Promise.all([launchBrowser(), demo.address()])
  })
  afterAll(async () => {
    await browser.close()
    expect(await demo.stop()).toBe(0)
    await expect(fetch(address)).rejects.toThrow('fetch failed')
  })

  /** A story of a page that lives in a world of its own. Much of it is waiting, so all run at once. */
  const reported = (story: (page: Page) => Promise<void>) => async () => {
    const { page, faults } = await openVisit(browser, new URL(address).origin)
    try {
      await page.goto(address)
      await title(page, 'Dashboard')
      await story(page)
    } finally {
      await page.context().close()
    }
    expect(faults).toEqual([])
  }

  it.concurrent(
    'shows every place of the console, and none complains',
    reported(async (page) => {
      await page.getByText('Demo: everything here is made up').waitFor()
      const seen: string[] = []
      const bar = (name: string) => page.getByRole('navigation', { name, exact: true }).getByRole('button')
      const look = async (name: string) => {
        // What waits stands before it: "(3) Jobs · Faxdeck".
        await page.waitForFunction(
          `document.title.replace(/^\\(\\d+\\+?\\) /, '') === ${JSON.stringify(`${name} · Faxdeck`)}`,
        )
        expect({ name, complaints: await complaintsOf(page) }).toEqual({ name, complaints: [] })
        seen.push(name)
      }
      for (const tab of await bar('Main').all()) {
        await tab.click()
        const name = /^[A-Za-z]+/.exec(await tab.innerText())?.[0] ?? ''
        const below = await bar(name).all()
        if (below.length === 0) await look(name)
        for (const place of below) {
          await place.click()
          // A count may stand behind the name.
          await look(/^[^\d\n]+/.exec(await place.innerText())?.[0].trim() ?? '')
        }
      }
      expect(seen).toEqual(expect.arrayContaining(['Dashboard', 'Send', 'Jobs', 'Inbox', 'Setup', 'Plugins', 'Logs']))
    }),
  )

  it.concurrent(
    'leads to its documentation',
    reported(async (page) => {
      const [guide] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Help for this screen' }).click(),
      ])
      await guide.getByRole('heading', { level: 1 }).waitFor()
      expect(new URL(guide.url()).pathname).toBe('/docs/latest/')
      expect(await page.evaluate("fetch('/docs/latest/anchors/diagnostics.json').then(({ ok }) => ok)")).toBe(true)
    }),
  )

  it.concurrent(
    'goes on by itself: faxes are sent and arrive, and the trail grows',
    reported(async (page) => {
      const count = async () => Number(/^\d+/.exec(await page.getByText(/^\d+ faxes$/).innerText())?.[0])
      await goTo(page, 'Jobs')
      await page.getByRole('row').getByText('In progress').first().waitFor()
      const before = await count()
      await waitFor('another fax to be sent', async () => {
        await page.getByRole('button', { name: 'Refresh', exact: true }).click()
        return (await count()) > before || undefined
      })
      await keepPicture(page, 'demo-jobs')
      await goTo(page, 'Logs', 'Tools')
      await page.getByText('Fax received').first().waitFor()
      await page.getByText('Sending attempt').first().waitFor()
    }),
  )

  it.concurrent(
    'sends what a person sends, and lets in whoever logs in',
    reported(async (page) => {
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByRole('button', { name: 'Use an API key' }).click()
      await page.getByRole('button', { name: 'Login', disabled: false }).waitFor()
      await logIn(page, 'any key at all')
      await title(page, 'Dashboard')
      await goTo(page, 'Send')
      await page.getByLabel('Destination number').fill('+1 555 555 0123')
      await page.getByLabel('Document', { exact: true }).setInputFiles({
        name: 'hello.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('Hello'),
      })
      await page.getByRole('button', { name: 'Send', exact: true }).and(page.locator('[type=submit]')).click()
      await page.getByRole('region', { name: 'Sent' }).getByText('Delivered').waitFor()
    }),
  )

  it('is in no file that the gateway serves', () => {
    expect(demoWordsIn(folderOf('.cache/demo'))).toEqual(ofTheDemo)
    expect(demoWordsIn(folderOf('apps/console/dist'))).toEqual([])
  })
})
