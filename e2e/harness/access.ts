import axe, { type Result, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { keepPicture } from './browser.ts'
import { type Theme, themes } from './screens.ts'

/** Every rule of axe about colors. A theme is a set of colors: in a second one nothing else can be new. */
const rulesOfColors = ['color-contrast', 'link-in-text-block']
/** Some three hundred pictures of views, for people who ask for them; taking one lasts as long as an examination. */
const withPictures = Boolean(process.env.FAXDECK_PICTURES)

/** A second theme is new colors and nothing else: tests of single features look at both in the long form. */
const usualLooks = process.env.FAXDECK_LONG ? themes : themes.slice(0, 1)

/** What is wrong with a view that a page shows, in each of the themes; the page follows the theme of the system. */
export async function faultsOf(
  page: Page,
  view: string,
  width: number,
  looks: readonly Theme[] = usualLooks,
): Promise<string[]> {
  const faults: string[] = []
  for (const [index, theme] of looks.entries()) {
    await page.emulateMedia({ colorScheme: theme })
    const seen = `${view}-${theme}-${width}`
    if (withPictures) await keepPicture(page, seen)
    const runOnly = index === 0 ? undefined : rulesOfColors
    faults.push(...(await violationsOf(page, seen, runOnly)), ...(await overflowOf(page, seen)))
    if (index === 0) faults.push(...(await coveredOf(page, seen)))
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
  const [excess, widest] = await page.evaluate<[number, string]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const edge = (each) => each.getBoundingClientRect().right
    const beyond = Array.from(document.body.querySelectorAll('*')).filter((each) => edge(each) > clientWidth)
    const widest = beyond.toSorted((one, other) => edge(other) - edge(one)).at(0)
    return [scrollWidth - clientWidth, widest?.outerHTML.slice(0, 120)]
  })()`)
  return excess === 0 ? [] : [`${view}: ${excess} pixels too wide, by ${widest}`]
}

/** Buttons, titles and labels of which a part lies outside of the page or of the frame that clips them. */
export async function cutOf(page: Page, view: string): Promise<string[]> {
  const cut = await page.evaluate<
    string[]
  >(`Array.from((document.querySelector('dialog:modal') ?? document).querySelectorAll('button, h1, h2, h3, label, dt, dd, p'))
    .filter((each) => {
      const { left, right, width } = each.getBoundingClientRect()
      const frame = each.parentElement.closest('dialog, table, figure, section, li, form, main, header, body')
      const bounds = frame.getBoundingClientRect()
      return width > 1 && !each.closest('table, pre, .unseen') && (left < bounds.left - 1 || right > bounds.right + 1)
    })
    .map((each) => each.textContent.slice(0, 60) || each.ariaLabel || each.outerHTML.slice(0, 60))`)
  return cut.map((text) => `${view}: cut off: ${text}`)
}

/** Controls in view that something else lies upon, so that a press does not reach them. What sticks to an edge may. */
async function coveredOf(page: Page, view: string): Promise<string[]> {
  const covered = await page.evaluate<string[]>(`(() => {
    const sticks = (each) => each !== null && (/sticky|fixed/.test(getComputedStyle(each).position) || sticks(each.parentElement))
    const room = document.querySelector('dialog:modal') ?? document.body
    return Array.from(room.querySelectorAll('button, a[href], input, select, textarea, summary'))
      .filter((each) => {
        const { left, top, width, height } = each.getBoundingClientRect()
        const upon = width > 1 && each.checkVisibility() && document.elementFromPoint(left + width / 2, top + height / 2)
        return upon && !each.contains(upon) && !upon.contains(each) && !upon.control && !sticks(upon)
      })
      .map((each) => each.ariaLabel ?? each.textContent.slice(0, 60))
  })()`)
  return covered.map((name) => `${view}: covered: ${name}`)
}
