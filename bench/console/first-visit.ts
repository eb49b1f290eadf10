import type { Browser, CDPSession, Page } from 'playwright-core'
import type { GatewayProcess } from '../../e2e/harness/gateway-process.ts'
import { waitFor } from '../../e2e/harness/wait.ts'
import { storeKey } from './stored-key.ts'

/** Bytes as they crossed the wire, and milliseconds from the start of the navigation. */
export interface FirstVisit {
  script: number
  style: number
  all: number
  /** Requests to anything but the gateway. */
  elsewhere: number
  usable: number
}

// Usable: the dashboard stands and shows the provider's state, in a frame that was drawn.
const noteUsable = `new MutationObserver((_, observer) => {
  const shown = document.querySelector('main')?.textContent ?? ''
  if (!/Healthy/.test(shown)) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => { window.usableAt = performance.now() }))
}).observe(document, { childList: true, subtree: true, characterData: true })`

/** Visits the console in a browser context that has never seen it. */
export async function visitFirst(browser: Browser, gateway: GatewayProcess): Promise<FirstVisit> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
  try {
    await storeKey(context, gateway.key)
    await context.addInitScript(noteUsable)
    const page = await context.newPage()
    const weigh = await weighTraffic(page, gateway.url)
    await page.goto(`${gateway.url}/admin-demo/`)
    // Asked from outside: the page's own policy forbids a waiting function.
    const usable = await waitFor('a usable dashboard', () => page.evaluate<number | undefined>('window.usableAt'), 15)
    return { ...weigh(), usable }
  } finally {
    await context.close()
  }
}

/** @returns a function that tells what has come over the wire so far */
async function weighTraffic(page: Page, origin: string): Promise<() => Omit<FirstVisit, 'usable'>> {
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
