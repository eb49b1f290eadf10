import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../../scripts/find-browser.mjs'

/** The browser the tests drive; without one they are skipped. */
export const browserPath = findBrowser()

const screenshots = fileURLToPath(new URL('../screenshots/', import.meta.url))
/** Headless, without a graphics card, and asking nobody for anything. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts a headless Chromium with an empty profile. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath, args: browserFlags })
}

/** A page that is watched while a person uses it. */
export interface Visit {
  page: Page
  /** What must not happen: console errors, uncaught errors, policy violations, requests to elsewhere. */
  faults: string[]
}

/** Tells the page's own console about every violation of its policy, also those the browser says nothing of. */
const reportViolations = `addEventListener('securitypolicyviolation', (event) =>
  console.error('Content security policy: ' + event.violatedDirective + ' ' + event.blockedURI))`

/**
 * Opens a page in a context of its own.
 * @param origin where the gateway is; the page may speak to nobody else
 * @param expected console errors that the visit provokes on purpose
 */
export async function openVisit(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
  expected?: RegExp,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 }, ...options })
  await context.addInitScript(reportViolations)
  const page = await context.newPage()
  const faults: string[] = []
  watch(page, origin, faults, expected)
  return { page, faults }
}

/** Another page of the same context is watched by the same rules. */
export function watch(page: Page, origin: string, faults: string[], expected?: RegExp): void {
  page.on('console', (message) => {
    const text = `${message.text()} ${message.location().url}`
    if (message.type() === 'error' && !expected?.test(text)) faults.push(`console: ${text}`)
  })
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) faults.push(`request to ${url}`)
  })
}

/** Keeps a picture of what a person would see now, for people to look at. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${screenshots}${name}.png`, animations: 'disabled' })
}
