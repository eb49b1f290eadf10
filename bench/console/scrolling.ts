import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { GatewayProcess } from '../../e2e/harness/gateway-process.ts'
import { waitFor } from '../../e2e/harness/wait.ts'
import { median, percentile } from '../figures.ts'
import { seedJobs } from '../seed-jobs.ts'
import { storeKey } from './stored-key.ts'

/** How the frames of one page came while it was scrolled. */
export interface Scroll {
  /** Of a hundred frames that a screen of 60 Hz has time for: those that never came. */
  leftOut: number
  /** Milliseconds between two frames, of which 95 in a hundred are no more. */
  p95: number
}

const rows = 10_000
const rowHeight = 40
/** Pixels a second: a hundred rows, faster than anybody reads. */
const speed = 100 * rowHeight
const seconds = 5
/** Each page is scrolled as often, in turns: this machine's speed changes between them. */
const turns = 5
const frameMs = 1000 / 60

const plainCells = ['4d02a0e8', '…2206', 'FAILED', 'phaxio', '2', 'Busy, 4 attempts', '1 Jan 2025', '1 Jan 2025']
// Only as many as are scrolled past: of ten thousand at once the browser would keep far more than the console does.
const plainRows = `<style>td { height: ${rowHeight}px; padding: 0 14px; border-bottom: 1px solid #ddd }</style>
  <table style="width: 90%; margin: auto; table-layout: fixed; border-spacing: 0; font: 14px sans-serif">
  ${`<tr>${plainCells.map((words) => `<td>${words}</td>`).join('')}</tr>`.repeat((speed * seconds) / rowHeight + 30)}
  </table>`

/** Puts ten thousand ended faxes into a gateway, which starts anew for it. */
export async function addManyJobs(gateway: GatewayProcess): Promise<void> {
  await gateway.stop()
  seedJobs(join(gateway.directory, 'faxdeck.db'), 0, rows, { ended: true })
  await gateway.start()
}

export interface Scrolls {
  jobs: Scroll
  /** The same rows as plain text that nothing changes: what this browser can draw at all. */
  text: Scroll
  empty: Scroll
}

/** Scrolls the list of jobs with all its rows read, and beside it a page of text and one as long with nothing on it. */
export async function scrollJobs(browser: Browser, gateway: GatewayProcess): Promise<Scrolls> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
  try {
    await storeKey(context, gateway.key)
    const page = await context.newPage()
    await page.goto(`${gateway.url}/admin-demo/`)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Jobs' }).click()
    await readToTheEnd(page)
    const text = await context.newPage()
    await text.setContent(plainRows)
    const empty = await context.newPage()
    await empty.setContent(`<div style="height: ${rows * rowHeight}px"></div>`)
    return await scrollInTurns({ jobs: page, text, empty })
  } finally {
    await context.close()
  }
}

const medianOf = (scrolls: readonly Scroll[]): Scroll => ({
  leftOut: median(scrolls.map(({ leftOut }) => leftOut)),
  p95: median(scrolls.map(({ p95 }) => p95)),
})

async function scrollInTurns({ jobs, text, empty }: Record<keyof Scrolls, Page>): Promise<Scrolls> {
  const seen: Record<keyof Scrolls, Scroll[]> = { jobs: [], text: [], empty: [] }
  for (let turn = 0; turn < turns; turn += 1) {
    seen.jobs.push(await scroll(jobs))
    seen.text.push(await scroll(text))
    seen.empty.push(await scroll(empty))
  }
  return { jobs: medianOf(seen.jobs), text: medianOf(seen.text), empty: medianOf(seen.empty) }
}

const readToTheEnd = (page: Page) =>
  waitFor(
    'all rows',
    async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      const shown = await page.evaluate<string>('document.querySelector("main")?.textContent ?? ""')
      return shown.includes(`Showing ${rows.toLocaleString('en')} of`) || undefined
    },
    90,
  )

const noteFrames = `(() => {
  window.frames_ = []
  const frames = window.frames_
  const note = (at) => {
    frames.push(at)
    if (frames === window.frames_) requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
})()`

/** Scrolls from the top as the wheel does, in the browser's own time. */
async function scroll(page: Page): Promise<Scroll> {
  await page.bringToFront()
  await page.evaluate('scrollTo(0, 0)')
  await page.waitForTimeout(1_000)
  const session = await page.context().newCDPSession(page)
  await page.evaluate(noteFrames)
  const way = { x: 680, y: 500, yDistance: -speed * seconds, speed }
  await session.send('Input.synthesizeScrollGesture', { ...way, gestureSourceType: 'mouse' })
  const times = await page.evaluate<number[]>('window.frames_')
  await page.evaluate('window.frames_ = undefined')
  await session.detach()
  if ((await page.evaluate<number>('scrollY')) < (speed * seconds) / 2) throw new Error('The page did not scroll.')
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at))
  const due = gaps.map((gap) => Math.max(1, Math.round(gap / frameMs))).reduce((sum, frames) => sum + frames, 0)
  return {
    leftOut: ((due - gaps.length) / due) * 100,
    p95: percentile(
      gaps.toSorted((a, b) => a - b),
      0.95,
    ),
  }
}
