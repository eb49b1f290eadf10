import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { cutOf, faultsOf, overflowOf } from './harness/access.ts'
import { browserPath, launchBrowser, openVisit } from './harness/browser.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { goTo, openConsole, returnToConsole, title } from './harness/operator.ts'
import { pdfOf } from './harness/paper.ts'
import {
  openScreen,
  pagesShown,
  pictureName,
  screens,
  type Theme,
  themes,
  viewportOf,
  widths,
} from './harness/screens.ts'
import { closeDialog, composeFax, openJob } from './harness/tours.ts'
import { addLongValues, fillWorld } from './harness/world.ts'

/** Height of the highest part of a dialog that scrolls, in pixels. */
const roomToRead = `Math.max(0, ...Array.from(document.querySelectorAll('dialog[open] *'), (each) =>
  /auto|scroll/.test(getComputedStyle(each).overflowY) ? each.clientHeight : 0))`
const env = { TESTLINE_SECONDS: '0', INBOUND_LIST_RPM: '0', FEATURE_V3_PLUGINS: 'true' }

const isLong = process.env.FAXDECK_LONG !== undefined
/** Empty, loading and failing screens, twice the text size: what is wrong there is mostly wrong when they are full. */
const atLength = it.runIf(isLong)
/** A theme is a set of colors, which do not depend on the width. */
const looksAt = (width: number) => (isLong || width === widths[0] ? themes : themes.slice(0, 1))

describe.skipIf(!browserPath)('the console', () => {
  let gateway: GatewayProcess
  let browser: Browser

  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startGateway({ env }), launchBrowser()])
    await fillWorld(gateway.client)
    await addLongValues(gateway.client)
  })
  afterAll(async () => {
    await browser.close()
    await gateway.remove()
  })

  /** A visit: runs axe and measures overflow of every view that it is shown. */
  async function inspect(
    width: number,
    { url }: GatewayProcess,
    tour: (page: Page, look: (view: string) => Promise<void>) => Promise<void>,
    { expected, looks = looksAt(width) }: { expected?: RegExp; looks?: readonly Theme[] } = {},
  ): Promise<void> {
    const how = { viewport: viewportOf({ width }), reducedMotion: 'reduce' } as const
    const { page, faults } = await openVisit(browser, url, how, expected)
    const look = async (view: string) => {
      if (!view.endsWith('-loading')) await pagesShown(page)
      faults.push(...(await faultsOf(page, view, width, looks)))
    }
    try {
      await tour(page, look)
    } finally {
      await page.context().close()
    }
    expect(faults).toEqual([])
  }

  describe.each(widths)('%i pixels wide', (width) => {
    it('is accessible on every screen, filled, with long values', async () => {
      await inspect(width, gateway, async (page, look) => {
        await openConsole(page, gateway)
        await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
        await look('login')
        await returnToConsole(page, gateway, 'system')
        for (const screen of screens) {
          await openScreen(page, screen)
          await look(pictureName(screen))
        }
      })
    })

    it.runIf(isLong || width === widths[0])('is accessible in every dialog', async () => {
      await inspect(width, gateway, async (page, look) => {
        await returnToConsole(page, gateway, 'system')
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').waitFor()
        await look('palette')
        await page.keyboard.press('Escape')
        await page.keyboard.press('?')
        await page.getByRole('dialog').waitFor()
        await look('list-of-keys')
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Theme' }).click()
        await look('theme-menu')
        await page.keyboard.press('Escape')
        await openJob(page, /Unconfirmed/)
        await look('job-uncertain')
        await closeDialog(page)
        await openJob(page, /Test passed/)
        await page.getByRole('button', { name: 'Open Page 1 of' }).click()
        await page
          .getByRole('dialog', { name: /^Page 1 of/ })
          .getByRole('img')
          .waitFor()
        await look('job-page')
        await page.keyboard.press('Escape')
        await closeDialog(page)
        await goTo(page, 'Keys', 'Settings')
        await page.getByRole('button', { name: 'Create Key' }).click()
        await look('create-key')
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Revoke Front desk', exact: true }).click()
        await look('revoke-key')
      })
    })
  })

  atLength('shows everything at twice the text size', async () => {
    const { page, faults } = await openVisit(browser, gateway.url, { reducedMotion: 'reduce' })
    await returnToConsole(page, gateway, 'system')
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    for (const screen of screens) {
      await openScreen(page, screen)
      if (screen.tab === 'Send') await composeFax(page)
      // The widest last: there the next screen is a press away.
      for (const width of widths.toReversed()) {
        await page.setViewportSize(viewportOf({ width }))
        // A frame is not promised to a page that nothing changes in; a moment is.
        await page.evaluate('new Promise((later) => setTimeout(later, 100))')
        const view = `${pictureName(screen)}-large-${width}`
        faults.push(...(await overflowOf(page, view)), ...(await cutOf(page, view)))
      }
    }
    await page.context().close()
    expect(faults).toEqual([])
  })

  atLength('shows what a dialog holds at twice the text size, and lets a person read it', async () => {
    const how = { viewport: viewportOf({ width: 390 }), reducedMotion: 'reduce' } as const
    const { page, faults } = await openVisit(browser, gateway.url, how)
    await returnToConsole(page, gateway, 'system')
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    const dialogs = [
      ['Jobs', /^Open fax/],
      ['Inbox', /^Open fax/],
      ['Keys', 'Create Key'],
    ] as const
    for (const [tab, opener] of dialogs) {
      await goTo(page, tab, tab === 'Keys' ? 'Settings' : undefined)
      await page.getByRole('button', { name: opener }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button').last().waitFor()
      await pagesShown(page)
      faults.push(...(await cutOf(page, `${tab}-dialog-large`)))
      const room = await page.evaluate<number>(roomToRead)
      if (room < 300) faults.push(`${tab}-dialog-large: ${room} pixels to read in`)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await page.context().close()
    expect(faults).toEqual([])
  })

  atLength.each(widths)('is accessible when there is nothing yet, %i pixels wide', async (width) => {
    const empty = await startGateway({ env })
    onTestFinished(() => empty.remove())
    const tour = async (page: Page, look: (view: string) => Promise<void>) => {
      await returnToConsole(page, empty, 'system')
      for (const screen of screens) {
        await openScreen(page, screen)
        await look(`${pictureName(screen)}-empty`)
      }
    }
    await inspect(width, empty, tour, { looks: themes })
  })

  atLength.each(widths)('is accessible while it loads and when a call fails, %i pixels wide', async (width) => {
    const tour = async (page: Page, look: (view: string) => Promise<void>) => {
      for (const screen of screens) {
        const { tab, group, heading, call, press } = screen
        if (!call) continue
        const answer = Promise.withResolvers<undefined>()
        // It goes on failing: what a later screen shares with this one has never been read.
        await page.route(new RegExp(`${call}(\\?|$)`), async (route) => {
          await answer.promise
          const json = { detail: 'The disk is full.', code: 'internal', request_id: 'req-1' }
          await route.fulfill({ status: 500, json })
        })
        if (tab === 'Dashboard') await returnToConsole(page, gateway, 'system')
        else await goTo(page, tab, group)
        await title(page, heading)
        if (press) await page.getByRole('button', { name: press, exact: true }).click()
        await look(`${pictureName(screen)}-loading`)
        answer.resolve(undefined)
        await page.getByRole('alert').getByText('The disk is full.').waitFor()
        await look(`${pictureName(screen)}-error`)
      }
    }
    await inspect(width, gateway, tour, { expected: /status of 500/, looks: themes })
  })

  it('is used by keyboard alone, from the login to the details of a sent fax', async () => {
    const { page, faults } = await openVisit(browser, gateway.url)
    await openConsole(page, gateway)
    await pressUntil(page, 'Tab', 'Use an API key', 'button')
    await page.keyboard.press('Enter')
    await page.getByLabel('API Key', { exact: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type(gateway.key)
    await page.keyboard.press('Enter')
    await title(page, 'Dashboard')
    await pressUntil(page, 'Tab', 'Send', 'button')
    await page.keyboard.press('Enter')
    await title(page, 'Send')
    await pressUntil(page, 'Tab', 'Destination number', 'textbox')
    await page.keyboard.type('+15555550123')
    await pressUntil(page, 'Tab', 'Document', 'button')
    // Enter would open the system's own dialog, which belongs to no page.
    const file = { name: 'by-keyboard.pdf', mimeType: 'application/pdf', buffer: pdfOf([['By keyboard']]) }
    await page.locator('input[type=file]:focus').setInputFiles(file)
    await page.getByRole('region', { name: 'Preview' }).getByText('1 page').waitFor()
    await pressUntil(page, 'Tab', 'Send', 'button')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Sent' }).getByText('Test passed').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('jobs')
    await page.keyboard.press('Enter')
    await title(page, 'Jobs')
    await pressUntil(page, 'Tab', /^Open fax/, 'button')
    await page.keyboard.press('Enter')
    const details = page.getByRole('dialog', { name: /^Fax / })
    await details.getByText('by-keyboard.pdf', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'hidden' })
    await page
      .getByRole('button', { name: /^Open fax/ })
      .and(page.locator(':focus'))
      .waitFor()
    await page.context().close()
    expect(faults).toEqual([])
  })
})

/** Presses a key until an element of this name and role has the focus, and sees that its focus shows. */
async function pressUntil(page: Page, key: string, name: string | RegExp, role: 'button' | 'textbox'): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true }).and(page.locator(':focus'))
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key)
    if ((await wanted.count()) > 0) return
  }
  throw new Error(`${key} does not reach the ${role} "${String(name)}".`)
}
