import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, launchBrowser, openVisit } from '../harness/browser.ts'
import { type GatewayProcess, startGateway } from '../harness/gateway-process.ts'
import { returnToConsole } from '../harness/operator.ts'
import { openScreen, screens, viewportOf, widths } from '../harness/screens.ts'
import { fillWorld } from '../harness/world.ts'

/** Below it, people do not notice (Cumulative Layout Shift). */
const unnoticed = 0.1
const watchShifts = `window.shifts = 0
new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shifts += value)))
  .observe({ type: 'layout-shift', buffered: true })`

/** Answers come late enough that what loads is seen before it is there. */
async function slowDown(page: Page): Promise<void> {
  await page.route(/\/(admin|inbound|plugins)\b/, async (route) => {
    if (route.request().resourceType() === 'fetch') await page.waitForTimeout(250)
    await route.continue()
  })
}

describe.skipIf(!browserPath)('a screen whose data comes late', () => {
  let gateway: GatewayProcess
  let browser: Browser

  beforeAll(async () => {
    const env = { TESTLINE_SECONDS: '0', FEATURE_V3_PLUGINS: 'true', ENABLE_ADMIN_EXEC: 'true' }
    gateway = await startGateway({ env })
    await fillWorld(gateway.client)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await gateway.remove()
  })

  it.each(widths)('does not jump when it arrives, at %i px', async (width) => {
    const { page, faults } = await openVisit(browser, gateway.url, { viewport: viewportOf({ width }) })
    await page.addInitScript(watchShifts)
    await returnToConsole(page, gateway)
    await slowDown(page)
    const jumps: Record<string, number> = {}
    for (const screen of screens) {
      await page.evaluate('window.shifts = 0')
      await openScreen(page, screen)
      const shifts = await page.evaluate<number>('window.shifts')
      if (shifts > unnoticed) jumps[screen.tab] = shifts
    }
    expect(jumps).toEqual({})
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
    expect(faults).toEqual([])
  })
})
