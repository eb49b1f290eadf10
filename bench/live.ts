// What an open console asks for while a backlog drains: requests per second and screen, counted by a proxy between the
// browser and the gateway, and how far behind the screen is.
import type { Page } from 'playwright-core'
import { browserPath, launchBrowser } from '../e2e/harness/browser.ts'
import { startGateway, unlimited } from '../e2e/harness/gateway-process.ts'
import { openCountingProxy } from './console/counting-proxy.ts'
import { storeKey } from './console/stored-key.ts'
import { printFigures } from './figures.ts'
import { runLoad } from './load/run-load.ts'

const seconds = Number(process.argv[2] ?? 15)
const settleMs = 1000
/** So many wait for each second that is measured. */
const backlogPerSecond = 100
const perSecond = { atMost: 2 }

const tab = (name: string) => (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name }).first().click()

/** How a person comes to each screen. */
const screens: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  dashboard: tab('Dashboard'),
  jobs: tab('Jobs'),
  'job detail': async (page) => {
    await tab('Jobs')(page)
    await page
      .getByRole('button', { name: /^Open fax/ })
      .first()
      .click()
  },
  inbox: tab('Inbox'),
  logs: async (page) => {
    await tab('Tools')(page)
    await page.getByRole('button', { name: 'Logs' }).click()
  },
}

if (!browserPath) throw new Error('There is no browser.')
const gateway = await startGateway({ env: unlimited })
const proxy = await openCountingProxy(gateway.url)
const browser = await launchBrowser()
try {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
  await storeKey(context, gateway.key)
  const page = await context.newPage()
  await page.goto(`${proxy.url}/admin-demo/`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const port = Number(new URL(gateway.url).port)
  const load = (firstNumber: number, atMost: number) =>
    runLoad({ port, key: gateway.key, document: 'text', clients: 4, firstNumber, seconds: 2 * seconds, atMost })
  await load(1_000_000, 20)
  const ended = async () => (await gateway.client.listJobs({ query: { sort: 'ended', limit: 1 } })).total
  /** A backlog grows while one fax is sent at a time, and drains when many are. */
  const lanes = (lane_concurrency: number) => gateway.client.updateSettings({ body: { lane_concurrency } })
  let first = 2_000_000
  for (const [name, open] of Object.entries(screens)) {
    await open(page)
    await lanes(1)
    const { accepted } = await load((first += 100_000), backlogPerSecond * (seconds + settleMs / 1000))
    await lanes(100)
    await page.waitForTimeout(settleMs)
    const before = await ended()
    proxy.reset()
    await page.waitForTimeout(seconds * 1000)
    const asked = [...proxy.counts.values()].reduce((sum, count) => sum + count, 0)
    const calls = [...proxy.counts].map(([call, count]) => `${call} ${count}`).join(', ')
    const drained = (await ended()) - before
    printFigures([
      { what: `${name}: requests`, value: asked / seconds, unit: '/s', goal: perSecond },
      {
        what: `${name}: faxes that ended meanwhile, of a backlog of ${accepted}`,
        value: drained / seconds,
        unit: '/s',
      },
    ])
    console.log(`\n${calls || 'nothing was asked for'}\n`)
  }
} finally {
  await browser.close()
  proxy.close()
  await gateway.remove()
}
