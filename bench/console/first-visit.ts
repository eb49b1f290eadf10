import type { Browser, CDPSession, Page } from 'playwright-core'
import type { GatewayProcess } from '../../e2e/harness/gateway-process.ts'
import type { BareBrowser } from './bare-browser.ts'
import { storeKey, storingKey } from './stored-key.ts'

/** Bytes as they crossed the wire. */
export interface Weight {
  script: number
  style: number
  all: number
  /** Requests to anything but the gateway. */
  elsewhere: number
}

/** Sets `window.usableAt` after the first drawn frame in which `selector` holds `words`. */
const noteUsable = (selector: string, words: string) => `new MutationObserver((_, observer) => {
  const shown = document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''
  if (!shown.includes(${JSON.stringify(words)})) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => { window.usableAt = performance.now() }))
}).observe(document, { childList: true, subtree: true, characterData: true })`

/** @returns milliseconds until the dashboard stands and shows the provider's state */
export const visitDashboard = (browser: BareBrowser, gateway: GatewayProcess) =>
  browser.visit(`${gateway.url}/admin-demo/`, `${storingKey(gateway.key)}\n${noteUsable('main', 'Healthy')}`)

/** @returns milliseconds until a page without a script stands: what this browser and machine need for anything */
export const visitDocumentation = (browser: BareBrowser, gateway: GatewayProcess) =>
  browser.visit(`${gateway.url}/docs/latest/keys/`, noteUsable('main', 'keys'))

/** Visits the dashboard in a browser context that has never seen it. */
export async function weighFirstVisit(browser: Browser, gateway: GatewayProcess): Promise<Weight> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
  try {
    await storeKey(context, gateway.key)
    const page = await context.newPage()
    const weigh = await weighTraffic(page, gateway.url)
    await page.goto(`${gateway.url}/admin-demo/`)
    await page.getByRole('main').getByText('Healthy').first().waitFor()
    return weigh()
  } finally {
    await context.close()
  }
}

/** @returns a function that returns what has come over the wire so far */
async function weighTraffic(page: Page, origin: string): Promise<() => Weight> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const kinds = new Map<string, string>()
  const bytes = new Map<string, number>()
  let elsewhere = 0
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    kinds.set(requestId, type ?? 'Other')
    if (!request.url.startsWith(`${origin}/`) && !/^(data|blob):/.test(request.url)) elsewhere += 1
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other'
    bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength)
  })
  await session.send('Network.enable')
  return () => ({
    script: bytes.get('Script') ?? 0,
    style: bytes.get('Stylesheet') ?? 0,
    all: [...bytes.values()].reduce((sum, size) => sum + size, 0),
    elsewhere,
  })
}
