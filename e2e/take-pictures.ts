import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, openVisit } from './harness/browser.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { returnToConsole, title } from './harness/operator.ts'
import { calm, type Look, looks, openScreen, pagesShown, pictureName, screens, viewportOf } from './harness/screens.ts'
import { addCoverPage, composeFax, openJob, useTerminal } from './harness/tours.ts'
import { fillWorld } from './harness/world.ts'

/*
 * Takes the pictures of docs/screenshots anew, from a real gateway: `npm run pictures`, with the console built.
 * Names are <screen>-<theme>-<width>.png; what stands after `npm run pictures --` picks some, by the words in it.
 */

const folder = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const env = { TESTLINE_SECONDS: '0', INBOUND_LIST_RPM: '0', FEATURE_V3_PLUGINS: 'true', ENABLE_ADMIN_EXEC: 'true' }
const picked = process.argv.slice(2)
const isPicked = (name: string) => picked.length === 0 || picked.some((word) => name.includes(word))

/** What a person does on a screen before it shows what it is for. */
const done: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  send: (page) => composeFax(page),
  terminal: useTerminal,
  diagnostics: async (page) => {
    await page.getByRole('button', { name: 'Run Diagnostics', exact: true }).click()
    const run = page.getByRole('button', { name: 'Run Diagnostics', exact: true })
    await run.and(page.locator(':not([aria-busy])')).waitFor()
    await calm(page)
  },
}
/** Screens whose empty state is the first that a newcomer sees. */
const emptyToo = ['dashboard', 'send', 'jobs', 'inbox', 'keys', 'mcp']

const next = async (page: Page) => {
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await page.evaluate('scrollTo(0, 0)')
}
/** What is met further within a screen, in the order in which a person goes: its picture's name, and the way there. */
const within: Readonly<Record<string, readonly (readonly [string, (page: Page) => Promise<void>])[]>> = {
  setup: [
    ['setup-credentials', next],
    ['setup-security', next],
    ['setup-apply', next],
  ],
  send: [['send-cover', addCoverPage]],
  keys: [
    [
      'keys-add-webhook',
      async (page) => {
        await page.getByRole('button', { name: 'Add webhook' }).first().click()
        await page.getByRole('dialog').waitFor()
      },
    ],
  ],
}

async function visit(browser: Browser, gateway: GatewayProcess, { theme, width }: Look) {
  const how = { viewport: viewportOf({ width }), colorScheme: theme, reducedMotion: 'reduce' } as const
  const { page, faults } = await openVisit(browser, gateway.url, how)
  await returnToConsole(page, gateway, theme)
  const take = async (name: string) => {
    const full = `${name}-${theme}-${width}`
    await pagesShown(page)
    await page.screenshot({ path: `${folder}${full}.png`, animations: 'disabled' })
    console.log(full)
  }
  return { page, faults, take }
}

/** Every screen as it is after a day of work, and a fax that waits for a decision. */
async function takeFilled(browser: Browser, gateway: GatewayProcess, look: Look): Promise<string[]> {
  const { page, faults, take } = await visit(browser, gateway, look)
  for (const screen of screens) {
    const name = pictureName(screen)
    const further = within[name] ?? []
    if (![name, ...further.map(([inner]) => inner)].some(isPicked)) continue
    await openScreen(page, screen)
    await done[name]?.(page)
    if (isPicked(name)) await take(name)
    for (const [inner, go] of further) {
      await go(page)
      await calm(page)
      if (isPicked(inner)) await take(inner)
    }
    if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape')
  }
  if (isPicked('job-uncertain')) {
    await openJob(page, /Unconfirmed/)
    await take('job-uncertain')
  }
  await page.context().close()
  return faults
}

/** The screens that look different while nothing has happened, and the one for those who are not logged in. */
async function takeEmpty(browser: Browser, gateway: GatewayProcess, look: Look): Promise<string[]> {
  const { page, faults, take } = await visit(browser, gateway, look)
  for (const screen of screens) {
    const name = pictureName(screen)
    if (!emptyToo.includes(name) || !isPicked(`${name}-empty`)) continue
    await openScreen(page, screen)
    await take(`${name}-empty`)
  }
  if (isPicked('login')) {
    await page.getByRole('button', { name: 'Log out' }).click()
    await title(page, 'Faxdeck')
    await take('login')
  }
  await page.context().close()
  return faults
}

const [filled, empty, browser] = await Promise.all([startGateway({ env }), startGateway({ env }), launchBrowser()])
try {
  await fillWorld(filled.client)
  for (const look of looks) {
    const faults = [...(await takeFilled(browser, filled, look)), ...(await takeEmpty(browser, empty, look))]
    if (faults.length > 0) throw new Error(`The console is not well:\n${faults.join('\n')}`)
  }
} finally {
  await browser.close()
  await Promise.all([filled.remove(), empty.remove()])
}
