import type { Browser, Page } from 'playwright-core'
import type { GatewayProcess } from '../../e2e/harness/gateway-process.ts'
import { median } from '../figures.ts'
import { storeKey } from './stored-key.ts'

export interface Change {
  /** The tab that was clicked. */
  to: string
  /** Milliseconds from the click to the frame that shows the screen's title; the first time loads the screen's script. */
  first: number
  /** The median of the later times. */
  again: number
}

const screens = ['Send', 'Jobs', 'Inbox', 'Dashboard'] as const

/** Goes round the screens as a person does, so many times. */
export async function changeScreens(browser: Browser, gateway: GatewayProcess, rounds: number): Promise<Change[]> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
  try {
    await storeKey(context, gateway.key)
    const page = await context.newPage()
    await page.goto(`${gateway.url}/admin-demo/`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const times = new Map<string, number[]>(screens.map((screen) => [screen, []]))
    for (let round = 0; round < rounds; round += 1) {
      for (const screen of screens) times.get(screen)?.push(await goTo(page, screen))
    }
    return [...times].map(([to, [first = Number.NaN, ...later]]) => ({ to, first, again: median(later) }))
  } finally {
    await context.close()
  }
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
