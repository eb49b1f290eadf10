// What a person waits for: the first visit to a usable dashboard with a stored key, going from screen to screen, and
// scrolling through ten thousand faxes.
import type { Browser } from 'playwright-core'
import { browserPath, launchBrowser } from '../e2e/harness/browser.ts'
import { type GatewayProcess, startGateway, unlimited } from '../e2e/harness/gateway-process.ts'
import { changeScreens } from './console/screen-changes.ts'
import { type FirstVisit, visitFirst } from './console/first-visit.ts'
import { addManyJobs, type Scrolls, scrollJobs } from './console/scrolling.ts'
import { type Figure, median, printFigures } from './figures.ts'

const visits = 9

const kilobytes = (bytes: number) => bytes / 1000

async function measure(gateway: GatewayProcess, browser: Browser) {
  const first: FirstVisit[] = []
  for (let visit = 0; visit <= visits; visit += 1) first.push(await visitFirst(browser, gateway))
  const changes = await changeScreens(browser, gateway, visits)
  await addManyJobs(gateway)
  // The very first visit also warms the gateway and the browser's process.
  return { first: first.slice(1), changes, scrolls: await scrollJobs(browser, gateway) }
}

/** The list, and what this very browser does with rows that nothing changes, and with nothing to draw. */
function figuresOf({ jobs, text, empty }: Scrolls): Figure[] {
  const plain = 'the same of as many rows of plain text, without a script'
  const nothing = 'the same of a page with nothing on it'
  return [
    {
      what: 'frames left out while 10,000 jobs scroll',
      value: jobs.late,
      unit: '%',
      goal: { atMost: Math.max(1, empty.late) },
    },
    { what: plain, value: text.late, unit: '%' },
    { what: nothing, value: empty.late, unit: '%' },
    { what: 'between two frames meanwhile, p95', value: jobs.p95, unit: 'ms' },
    { what: plain, value: text.p95, unit: 'ms' },
    { what: nothing, value: empty.p95, unit: 'ms' },
  ]
}

function print({ first: visits, changes, scrolls }: Awaited<ReturnType<typeof measure>>): void {
  const of = (pick: (visit: FirstVisit) => number) => median(visits.map(pick))
  const goal = { atMost: 100 }
  printFigures([
    { what: 'script on the wire', value: kilobytes(of((v) => v.script)), unit: 'kB', goal: { atMost: 130 } },
    { what: 'style on the wire', value: kilobytes(of((v) => v.style)), unit: 'kB', goal: { atMost: 30 } },
    {
      what: 'everything on the wire',
      value: kilobytes(of((v) => v.all)),
      unit: 'kB',
      predecessor: '1,039 kB',
    },
    { what: 'requests elsewhere', value: of((v) => v.elsewhere), unit: '', goal: { atMost: 0 } },
    {
      what: 'from navigation to a usable dashboard',
      value: of((v) => v.usable),
      unit: 'ms',
      goal: { atMost: 300 },
      predecessor: '590 ms',
    },
    ...changes.flatMap(({ to, first, again }) => [
      { what: `to ${to}, the first time`, value: first, unit: 'ms', goal },
      { what: `to ${to}, again`, value: again, unit: 'ms', goal },
    ]),
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
