// What a person waits for: the first visit to a usable dashboard with a stored key, going from screen to screen, and
// scrolling through ten thousand faxes.
import type { Browser } from 'playwright-core'
import { browserPath, launchBrowser } from '../e2e/harness/browser.ts'
import { type GatewayProcess, startGateway, unlimited } from '../e2e/harness/gateway-process.ts'
import { changeScreens } from './console/screen-changes.ts'
import { type BareBrowser, openBareBrowser } from './console/bare-browser.ts'
import { visitDashboard, visitDocumentation, weighFirstVisit } from './console/first-visit.ts'
import { addManyJobs, type Scrolls, scrollJobs } from './console/scrolling.ts'
import { type Figure, median, printFigures } from './figures.ts'

const visits = 9
/** Visits before those: a gateway runs for months, and its first answers are compiled while they are given. */
const warming = 5

const kilobytes = (bytes: number) => bytes / 1000

/** The two kinds of page take turns. */
async function visitInTurns(browser: BareBrowser, gateway: GatewayProcess) {
  const dashboard: number[] = []
  const documentation: number[] = []
  for (let visit = 0; visit < warming + visits; visit += 1) {
    dashboard.push(await visitDashboard(browser, gateway))
    documentation.push(await visitDocumentation(browser, gateway))
  }
  return { dashboard: median(dashboard.slice(warming)), documentation: median(documentation.slice(warming)) }
}

async function measure(gateway: GatewayProcess, browser: Browser) {
  const bare = await openBareBrowser()
  const usable = await visitInTurns(bare, gateway)
  await bare.close()
  const weight = await weighFirstVisit(browser, gateway)
  const screens = await changeScreens(browser, gateway, visits)
  await addManyJobs(gateway)
  return { usable, weight, screens, scrolls: await scrollJobs(browser, gateway) }
}

/** The list, and what this very browser does with rows that nothing changes, and with nothing to draw. */
function figuresOf({ jobs, text, empty }: Scrolls): Figure[] {
  const plain = 'the same of as many rows of plain text, without a script'
  const nothing = 'the same of a page with nothing on it'
  return [
    {
      what: 'frames left out while 10,000 jobs scroll',
      value: jobs.leftOut,
      unit: '%',
      goal: { atMost: Math.max(1, empty.leftOut) },
    },
    { what: plain, value: text.leftOut, unit: '%' },
    { what: nothing, value: empty.leftOut, unit: '%' },
    { what: 'between two frames meanwhile, p95', value: jobs.p95, unit: 'ms' },
    { what: plain, value: text.p95, unit: 'ms' },
    { what: nothing, value: empty.p95, unit: 'ms' },
  ]
}

function print({ usable, weight, screens, scrolls }: Awaited<ReturnType<typeof measure>>): void {
  const goal = { atMost: 100 }
  printFigures([
    { what: 'script on the wire', value: kilobytes(weight.script), unit: 'kB', goal: { atMost: 130 } },
    { what: 'style on the wire', value: kilobytes(weight.style), unit: 'kB', goal: { atMost: 30 } },
    { what: 'everything on the wire', value: kilobytes(weight.all), unit: 'kB', predecessor: '1,039 kB' },
    { what: 'requests elsewhere', value: weight.elsewhere, unit: '', goal: { atMost: 0 } },
    {
      what: 'from navigation to a usable dashboard',
      value: usable.dashboard,
      unit: 'ms',
      goal: { atMost: 300 },
      predecessor: '590 ms',
    },
    { what: 'the same to a page of the documentation, without a script', value: usable.documentation, unit: 'ms' },
    ...screens.changes.flatMap(({ to, first, again }) => [
      { what: `to ${to}, the first time`, value: first, unit: 'ms', goal },
      { what: `to ${to}, again`, value: again, unit: 'ms', goal },
    ]),
    { what: 'to Send, clicked in the moment the dashboard shows', value: screens.atOnce, unit: 'ms' },
    ...figuresOf(scrolls),
  ])
}

if (!browserPath) throw new Error('This bench needs Chromium or Chrome: install one or set CHROME_PATH.')
const gateway = await startGateway({ env: unlimited })
const browser = await launchBrowser()
try {
  print(await measure(gateway, browser))
} finally {
  await browser.close()
  await gateway.remove()
}
