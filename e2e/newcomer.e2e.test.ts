import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, launchBrowser, openVisit, type Visit } from './harness/browser.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { logIn, openConsole, title } from './harness/operator.ts'
import { pdfFile, pdfOf } from './harness/paper.ts'
import { finishedJob } from './harness/received.ts'
import { waitFor } from './harness/wait.ts'

// Two providers are set up; the test line carries every fax. The word on a page is read from its picture.
const env = {
  TESTLINE_SECONDS: '0',
  FAX_TEXT: 'true',
  INBOUND_LIST_RPM: '0',
  FAX_BACKEND: 'phaxio',
  ...{ PHAXIO_API_KEY: 'key-of-the-clinic', PHAXIO_API_SECRET: 'secret-of-the-clinic' },
  ...{ SINCH_PROJECT_ID: 'clinic', SINCH_API_KEY: 'key-of-the-clinic', SINCH_API_SECRET: 'secret-of-the-clinic' },
}
const word = 'Echocardiogram'

/** Somebody who has never seen the console: they know no names but those they read, and press what reads like the task. */
class Newcomer {
  clicks = 0
  readonly visit: Visit

  constructor(visit: Visit) {
    this.visit = visit
  }

  get page() {
    return this.visit.page
  }

  /** What is in front: a dialog that blocks the page, or the page. */
  async #front(): Promise<Locator> {
    const dialog = this.page.locator('dialog:modal')
    return (await dialog.count()) > 0 ? dialog.last() : this.page.locator('body')
  }

  /** Presses what reads so. There is one of it: where two read alike, a newcomer guesses. */
  async press(reads: RegExp): Promise<void> {
    const found = await waitFor(
      `one thing to press that reads ${reads}`,
      async () => {
        const front = await this.#front()
        const all = front.locator('button:enabled, a, [role=menuitem], label').filter({ hasText: reads, visible: true })
        return (await all.count()) === 1 ? all : undefined
      },
      30,
    )
    await found.click()
    this.clicks += 1
  }

  /** Presses a mark without words, as everybody knows it from elsewhere. */
  async pressMark(name: string, within: Locator): Promise<void> {
    await within.getByRole('button', { name, exact: true }).click()
    this.clicks += 1
  }

  async fill(label: string, text: string): Promise<void> {
    await (await this.#front()).getByLabel(label, { exact: true }).fill(text)
  }

  /** How many clicks a task took, which begins at the dashboard unless it goes on from the one before. */
  async doing(task: () => Promise<void>): Promise<number> {
    this.clicks = 0
    await task()
    return this.clicks
  }
}

describe.skipIf(!browserPath)('a newcomer', () => {
  let gateway: GatewayProcess
  let browser: Browser
  let newcomer: Newcomer

  beforeAll(async () => {
    gateway = await startGateway({ env })
    browser = await launchBrowser()
    const { client } = gateway
    const send = (to: string, name: string, text: string) =>
      client.submitFax({ form: { to, file: pdfFile(name, [[text, 'of a patient']]) } })
    const failed = await send('+15555550102', 'referral.pdf', 'Referral')
    await send('+15555550123', 'echo.pdf', word)
    await finishedJob(client, failed.id)
    await waitFor('the text of the received page', async () => {
      return (await client.listInbound({ query: { q: word } })).length || undefined
    })
    newcomer = new Newcomer(await openVisit(browser, gateway.url))
    await openConsole(newcomer.page, gateway)
    await logIn(newcomer.page, gateway.key)
    await title(newcomer.page, 'Dashboard')
  })
  afterAll(async () => {
    await browser.close()
    await gateway.remove()
    expect(newcomer.visit.faults).toEqual([])
  })

  it('sends a document', async () => {
    const clicks = await newcomer.doing(async () => {
      await newcomer.press(/^Send a fax$/)
      await newcomer.fill('Destination number', '+1 555 555 0123')
      const buffer = pdfOf([['Lab results']])
      const file = { name: 'lab-results.pdf', mimeType: 'application/pdf', buffer }
      await newcomer.page.getByLabel('Document', { exact: true }).setInputFiles(file)
      await newcomer.page.getByRole('region', { name: 'Preview' }).getByText('1 page').waitFor()
      await newcomer.page
        .getByRole('button', { name: 'Send', exact: true })
        .and(newcomer.page.locator('[type=submit]'))
        .click()
      newcomer.clicks += 1
      await newcomer.page.getByRole('region', { name: 'Sent' }).getByText('Test passed').waitFor()
    })
    expect(clicks).toBe(2)
  })

  it('finds out why a fax failed, and sends it to another number', async () => {
    const why = await newcomer.doing(async () => {
      await newcomer.press(/^Dashboard$/)
      await newcomer.press(/Fax to .*0102/)
      await newcomer.page
        .getByRole('region', { name: 'Outcome' })
        .getByText(/number is not in service/)
        .waitFor()
    })
    const another = await newcomer.doing(async () => {
      await newcomer.press(/^Send to another number…$/)
      await newcomer.page.getByText('referral.pdf').waitFor()
      await newcomer.fill('Destination number', '+1 555 555 0124')
      await newcomer.page
        .getByRole('button', { name: 'Send', exact: true })
        .and(newcomer.page.locator('[type=submit]'))
        .click()
      newcomer.clicks += 1
      await newcomer.page.getByRole('region', { name: 'Sent' }).getByText('Test passed').waitFor()
    })
    expect([why, another]).toEqual([2, 2])
  })

  it('finds a received fax by a word on its page, sees who opened it, and holds it', async () => {
    const { page } = newcomer
    const found = await newcomer.doing(async () => {
      await newcomer.press(/^Inbox/)
      await newcomer.fill('Search words or numbers', word)
      await waitFor('the one fax with the word', async () => {
        return (await page.getByRole('row', { name: /Open fax/ }).count()) === 1 || undefined
      })
      await page.getByRole('row', { name: /Open fax/ }).click()
      newcomer.clicks += 1
      await page.getByText(`“${word}” is marked on page 1.`).waitFor()
    })
    const opened = await newcomer.doing(async () => {
      await page.getByRole('region', { name: 'Opened by' }).getByText('Bootstrap key').waitFor()
    })
    const held = await newcomer.doing(async () => {
      await newcomer.pressMark('More actions', page.getByRole('dialog').last())
      await newcomer.press(/^Keep from deletion/)
      await newcomer.fill('Reason', 'Request of the court, file 4711')
      await newcomer.press(/^Place hold$/)
      await page.getByText('Request of the court, file 4711').waitFor()
    })
    expect([found, opened, held]).toEqual([2, 0, 3])
  })

  it('adds a person', async () => {
    const clicks = await newcomer.doing(async () => {
      await newcomer.press(/^People$/)
      await newcomer.press(/^Invite the first person$/)
      await newcomer.fill('Name', 'Jane Doe')
      await newcomer.fill('Email', 'jane.doe@clinic.example')
      await newcomer.press(/^Invite$/)
      await newcomer.page.getByText(/#invitation=/).waitFor()
      await newcomer.page.keyboard.press('Escape')
    })
    expect(clicks).toBe(3)
  })

  it('changes the provider', async () => {
    const clicks = await newcomer.doing(async () => {
      await newcomer.press(/^Settings$/)
      await newcomer.press(/^Sinch/)
      for (let step = 0; step < 3; step += 1) await newcomer.press(/^Next$/)
      await newcomer.press(/^Apply/)
      await newcomer.page
        .getByText(/Sinch is ready/)
        .first()
        .waitFor()
    })
    expect(clicks).toBe(6)
  })

  it('makes a key', async () => {
    const clicks = await newcomer.doing(async () => {
      await newcomer.press(/^Keys$/)
      await newcomer.press(/^Create Your First Key$/)
      await newcomer.fill('Key Name', 'Scanner')
      await newcomer.press(/^Create$/)
      await newcomer.page.getByText(/^fdk_live_/).waitFor()
      await newcomer.page.keyboard.press('Escape')
    })
    expect(clicks).toBe(3)
  })

  it('reads the figures of yesterday', async () => {
    const clicks = await newcomer.doing(async () => {
      await newcomer.press(/^Tools$/)
      await newcomer.press(/^Reports$/)
      await newcomer.page.getByLabel('Period', { exact: true }).selectOption('Yesterday')
      newcomer.clicks += 1
      await newcomer.page.getByText('No faxes in this period').waitFor()
    })
    expect(clicks).toBe(3)
  })
})
