import { describe, expect, it, onTestFinished } from 'vitest'
import { browserPath, launchBrowser, openVisit } from './harness/browser.ts'
import { startGateway } from './harness/gateway-process.ts'
import { goTo, logIn, title } from './harness/operator.ts'

const basePath = '/tools/faxdeck'

describe.skipIf(!browserPath)('a console under a path', () => {
  it('loads, logs in, follows what happens and links under that path alone', async () => {
    const gateway = await startGateway({ env: { BASE_PATH: basePath } })
    const browser = await launchBrowser()
    onTestFinished(async () => {
      await browser.close()
      await gateway.remove()
    })
    const { page, faults } = await openVisit(browser, gateway.url)
    const elsewhere: string[] = []
    let streams = 0
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.startsWith(`${basePath}/`)) elsewhere.push(pathname)
      if (pathname === `${basePath}/admin/events`) streams++
    })
    await page.goto(`${gateway.url}${basePath}/`)
    await logIn(page, gateway.key)
    await title(page, 'Dashboard')
    await page.getByText('Healthy', { exact: true }).waitFor()
    for (const [tab, group] of [
      ['Jobs'],
      ['Inbox'],
      ['Send'],
      ['Keys', 'Settings'],
      ['Diagnostics', 'Tools'],
    ] as const) {
      await goTo(page, tab, group)
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(streams).toBeGreaterThan(0)
    expect([elsewhere, faults]).toEqual([[], []])
  })
})
