// What an open console asks for while a backlog drains: requests per second and screen, counted by a proxy between the
// browser and the gateway, and how far behind the screen is.
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { CallProblem, type Client } from '../packages/contract/src/index.ts'
import { browserPath, launchBrowser } from '../e2e/harness/browser.ts'
import { startGateway, unlimited } from '../e2e/harness/gateway-process.ts'
import { openCountingProxy } from './console/counting-proxy.ts'
import { storeKey } from './console/stored-key.ts'
import { printFigures } from './figures.ts'
import { runLoad } from './load/run-load.ts'

const seconds = Number(process.argv[2] ?? 12)
const settleMs = 1000
/** Faxes that end each second, for as long as is measured and a little longer. */
const endsPerSecond = 100
const backlog = endsPerSecond * (seconds + 1)
const perSecond = { atMost: 2 }

/** The faxes that wait, newest first. */
async function waiting(client: Client): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const query = { status: 'queued', limit: 100, ...(cursor === undefined ? {} : { cursor }) } as const
    const { jobs, next_cursor } = await client.listJobs({ query })
    ids.push(...jobs.map(({ id }) => id))
    cursor = next_cursor ?? undefined
  } while (cursor !== undefined && ids.length < backlog)
  return ids
}

function ignoreConflict(error: unknown): void {
  if (!(error instanceof CallProblem) || error.status !== 409) throw error
}

/** Cancels them at an even pace: no two cores draw a hundred pages a second, and screens hear of either end alike. */
const endAll = (client: Client, ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id, n) => {
      await delay((n * 1000) / endsPerSecond)
      // The line takes one at a time meanwhile.
      await client.cancelJob({ params: { id } }).catch(ignoreConflict)
    }),
  )

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
  const { client } = gateway
  const load = (firstNumber: number, atMost: number) =>
    runLoad({ port, key: gateway.key, document: 'text', clients: 4, firstNumber, seconds: 2 * seconds, atMost })
  await load(1_000_000, 20)
  const ended = async () => (await client.listJobs({ query: { sort: 'ended', limit: 1 } })).total
  // A backlog grows while one fax is sent at a time.
  await client.updateSettings({ body: { lane_concurrency: 1 } })
  let first = 2_000_000
  for (const [name, open] of Object.entries(screens)) {
    await open(page)
    await load((first += 100_000), backlog)
    const ids = await waiting(client)
    await page.waitForTimeout(settleMs)
    const ending = endAll(client, ids.slice(0, backlog))
    const before = await ended()
    proxy.reset()
    await page.waitForTimeout(seconds * 1000)
    const asked = [...proxy.counts.values()].reduce((sum, count) => sum + count, 0)
    const calls = [...proxy.counts].map(([call, count]) => `${call} ${count}`).join(', ')
    const drained = (await ended()) - before
    await ending
    printFigures([
      { what: `${name}: requests`, value: asked / seconds, unit: '/s', goal: perSecond },
      {
        what: `${name}: faxes that ended meanwhile`,
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
