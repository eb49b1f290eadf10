// What a person waits for: the first visit to a usable dashboard with a stored key, and going from screen to screen.
import type { Browser } from 'playwright-core'
import { browserPath, launchBrowser } from '../e2e/harness/browser.ts'
import { type GatewayProcess, startGateway } from '../e2e/harness/gateway-process.ts'
import { type Change, changeScreens } from './console/screen-changes.ts'
import { type FirstVisit, visitFirst } from './console/first-visit.ts'
import { median, printFigures } from './figures.ts'

const visits = 9

const kilobytes = (bytes: number) => bytes / 1000

async function measure(gateway: GatewayProcess, browser: Browser): Promise<{ first: FirstVisit[]; changes: Change[] }> {
  const first: FirstVisit[] = []
  for (let visit = 0; visit <= visits; visit += 1) first.push(await visitFirst(browser, gateway))
  // The very first visit also warms the gateway and the browser's process.
  return { first: first.slice(1), changes: await changeScreens(browser, gateway, visits) }
}

function print(visits: FirstVisit[], changes: Change[]): void {
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
  ])
}

if (!browserPath) throw new Error('This bench needs Chromium or Chrome: install one or set CHROME_PATH.')
const gateway = await startGateway()
const browser = await launchBrowser()
try {
  const { first, changes } = await measure(gateway, browser)
  print(first, changes)
} finally {
  await browser.close()
  await gateway.remove()
}
