import type { Page } from 'playwright-core'
import { goTo, title } from './operator.ts'
import { waitFor } from './wait.ts'

/** The themes and widths in which every screen is looked at. */
export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]
export const widths = [1360, 390] as const
export const looks = themes.flatMap((theme) => widths.map((width) => ({ theme, width })))
export type Look = (typeof looks)[number]

interface Screen {
  tab: string
  /** The group of tabs it stands in. */
  group?: string
  heading: string
  /** The call it shows. */
  call?: string
  /** What is pressed for that call, when the screen waits to be asked. */
  press?: string
}

/** Every screen of the console, in the order of its tabs. */
export const screens: readonly Screen[] = [
  { tab: 'Dashboard', heading: 'Dashboard', call: '/admin/health-status' },
  { tab: 'Send', heading: 'Send' },
  { tab: 'Jobs', heading: 'Jobs', call: '/admin/fax-jobs' },
  { tab: 'Inbox', heading: 'Inbox', call: '/inbound' },
  { tab: 'Setup', group: 'Settings', heading: 'Setup', call: '/admin/settings/rows' },
  { tab: 'Settings', group: 'Settings', heading: 'Settings', call: '/admin/settings/rows' },
  { tab: 'Keys', group: 'Settings', heading: 'API Keys', call: '/admin/api-keys' },
  { tab: 'MCP', group: 'Settings', heading: 'MCP', call: '/admin/settings/rows' },
  { tab: 'Terminal', group: 'Tools', heading: 'Terminal' },
  {
    tab: 'Diagnostics',
    group: 'Tools',
    heading: 'Diagnostics',
    call: '/admin/diagnostics/run',
    press: 'Run Diagnostics',
  },
  { tab: 'Lines', group: 'Tools', heading: 'Lines', call: '/admin/calls' },
  { tab: 'Reports', group: 'Tools', heading: 'Reports', call: '/admin/reports' },
  { tab: 'Retention', group: 'Tools', heading: 'Retention', call: '/admin/holds' },
  { tab: 'Logs', group: 'Tools', heading: 'Logs', call: '/admin/logs' },
  { tab: 'Plugins', group: 'Tools', heading: 'Plugins', call: '/plugins' },
  { tab: 'Scripts & Tests', group: 'Tools', heading: 'Scripts & Tests', call: '/admin/actions' },
  { tab: 'People', group: 'People', heading: 'People', call: '/admin/people' },
  { tab: 'Groups', group: 'People', heading: 'Groups', call: '/admin/groups' },
]

/** What pictures of a screen are called: "scripts-tests". */
export const pictureName = ({ tab }: Pick<Screen, 'tab'>) => tab.toLowerCase().replace(/\W+/g, '-')

export const viewportOf = ({ width }: { width: number }) => ({ width, height: width > 500 ? 850 : 780 })

const answered = '(performance.setResourceTimingBufferSize(100_000), performance.getEntriesByType("resource").length)'
const quietMs = 300

/** Waits until nothing has been answered for a moment. The stream of live events never ends: no page is ever idle. */
export async function calm(page: Page): Promise<void> {
  let [count, since] = [-1, performance.now()]
  await waitFor('a page that has what it asked for', async () => {
    const now = await page.evaluate<number>(answered)
    if (now !== count) [count, since] = [now, performance.now()]
    return performance.now() - since > quietMs || undefined
  })
}

/** Goes to a screen and waits until it has what it asked for. */
export async function openScreen(page: Page, { tab, group, heading }: Screen): Promise<void> {
  await goTo(page, tab, group)
  await title(page, heading)
  await calm(page)
}

/** Whether a page of a document is in view, where it is fetched, and still on its way. */
const pageOnItsWay = `(async () => {
  const waiting = [...document.querySelectorAll('[data-size]')].filter((each) => /^Page .*: loading$/.test(each.textContent.trim()))
  const seen = (each) => new Promise((resolve) => {
    const watcher = new IntersectionObserver(([entry]) => (watcher.disconnect(), resolve(entry.isIntersecting)))
    watcher.observe(each)
    setTimeout(resolve, 1000, false)
  })
  return (await Promise.all(waiting.map(seen))).includes(true)
})()`

/** Waits until no page of a document is still on its way. */
export const pagesShown = (page: Page) =>
  waitFor('the pages in view', async () => !(await page.evaluate<boolean>(pageOnItsWay)) || undefined)
