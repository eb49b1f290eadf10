import type { Browser, Page } from 'playwright-core'
import type { GatewayProcess } from '../../e2e/harness/gateway-process.ts'
import { median } from '../figures.ts'
import { storeKey } from './stored-key.ts'

export interface Change {
  /** The tab that was clicked. */
  to: string
  /** Milliseconds from the click to the frame that shows the screen's title, the first time in a visit. */
  first: number
  /** The same for the second time. */
  again: number
}

export interface Changes {
  changes: Change[]
  /** Milliseconds to the first screen for a click in the moment the dashboard shows, before anything came ahead. */
  atOnce: number
}

const screens = ['Send', 'Jobs', 'Inbox', 'Dashboard'] as const
/** Milliseconds in which a person sees that the page has come, finds the tab and points at it. */
const finding = 1_000

/** Goes twice round the screens as a person does, in so many visits; each time is the median of them. */
export async function changeScreens(browser: Browser, gateway: GatewayProcess, visits: number): Promise<Changes> {
  const rounds: { first: number[]; again: number[] }[] = []
  const atOnce: number[] = []
  for (let each = 0; each < visits; each += 1) {
    atOnce.push(await visit(browser, gateway, (page) => goTo(page, screens[0])))
    const round = await visit(browser, gateway, async (page) => {
      await page.waitForTimeout(finding)
      return { first: await goRound(page), again: await goRound(page) }
    })
    rounds.push(round)
  }
  const changes = screens.map((to, at) => ({
    to,
    first: median(rounds.map(({ first }) => first[at] ?? Number.NaN)),
    again: median(rounds.map(({ again }) => again[at] ?? Number.NaN)),
  }))
  return { changes, atOnce: median(atOnce) }
}

async function visit<T>(browser: Browser, gateway: GatewayProcess, use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
  try {
    await storeKey(context, gateway.key)
    const page = await context.newPage()
    await page.goto(`${gateway.url}/admin-demo/`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return await use(page)
  } finally {
    await context.close()
  }
}

async function goRound(page: Page): Promise<number[]> {
  const times: number[] = []
  for (const screen of screens) times.push(await goTo(page, screen))
  return times
}

/** Clicks inside the page, so that the driver's own way to the browser is not measured. */
async function goTo(page: Page, screen: string): Promise<number> {
  const label = JSON.stringify(screen)
  return page.evaluate<number>(`new Promise((resolve) => {
    const tabs = [...document.querySelectorAll('nav[aria-label=Main] button')]
    const tab = tabs.find((each) => each.textContent.startsWith(${label}))
    const before = document.querySelector('h1')
    const begun = performance.now()
    const look = () => {
      const now = document.querySelector('h1')
      if (!now || now === before) return requestAnimationFrame(look)
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)))
    }
    tab.click()
    requestAnimationFrame(look)
  })`)
}
