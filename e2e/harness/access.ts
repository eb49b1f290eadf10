import axe, { type Result, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { keepPicture } from './browser.ts'
import { themes } from './screens.ts'

/** Every rule of axe about colours. A theme is a set of colours: in a second one nothing else can be new. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']
/** Some three hundred pictures of views, for people who ask for them; taking one lasts as long as an examination. */
const withPictures = Boolean(process.env.FAXDECK_PICTURES)

/** What is wrong with a view that a page shows, in both themes; the page follows the theme of the system. */
export async function faultsOf(page: Page, view: string, width: number): Promise<string[]> {
  const faults: string[] = []
  for (const [index, theme] of themes.entries()) {
    await page.emulateMedia({ colorScheme: theme })
    const seen = `${view}-${theme}-${width}`
    if (withPictures) await keepPicture(page, seen)
    const runOnly = index === 0 ? undefined : rulesOfColours
    faults.push(...(await violationsOf(page, seen, runOnly)), ...(await overflowOf(page, seen)))
  }
  return faults
}

/** Violations of WCAG 2.2 A and AA and of good practice, as "view: rule element what to do". */
async function violationsOf(page: Page, view: string, runOnly?: string[]): Promise<string[]> {
  await page.evaluate('Promise.allSettled(document.getAnimations().map((each) => each.finished))')
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const options: RunOptions = { resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) }
  const violations = await page.evaluate<Result[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${view}: ${id} ${target.join(' ')} ${failureSummary}`),
  )
}

/** What stands out of the page to the right, where a person would have to scroll sideways. */
export async function overflowOf(page: Page, view: string): Promise<string[]> {
  const excess = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  return excess === 0 ? [] : [`${view}: ${String(excess)} pixels too wide`]
}

/** Buttons, titles and labels of which a part lies outside of the page or of the frame that clips them. */
export async function cutOf(page: Page, view: string): Promise<string[]> {
  const cut = await page.evaluate<string[]>(`Array.from(document.querySelectorAll('button, h1, h2, h3, label, dt, p'))
    .filter((each) => {
      const { left, right, width } = each.getBoundingClientRect()
      const frame = each.parentElement.closest('table, figure, section, li, form, main, header, body')
      const bounds = frame.getBoundingClientRect()
      return width > 1 && !each.closest('table, pre, .unseen') && (left < bounds.left - 1 || right > bounds.right + 1)
    })
    .map((each) => each.textContent.slice(0, 60))`)
  return cut.map((text) => `${view}: cut off: ${text}`)
}
