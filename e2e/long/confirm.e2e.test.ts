import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultsOf } from '../harness/access.ts'
import { browserPath, launchBrowser } from '../harness/browser.ts'
import { type GatewayProcess, startGateway } from '../harness/gateway-process.ts'
import { joined, password } from '../harness/joined.ts'
import { goTo, title } from '../harness/operator.ts'

const reason = 'Emergency admission, the ward is closed'
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).last().click()

describe.skipIf(!browserPath)('what is recorded and what is confirmed', () => {
  let gateway: GatewayProcess
  let browser: Browser

  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startGateway({ env: { BREAK_GLASS_MINUTES: '10' } }), launchBrowser()])
  })
  afterAll(async () => {
    await browser.close()
    await gateway.remove()
  })

  async function lookAt(page: Page, view: string): Promise<string[]> {
    const faults: string[] = []
    for (const width of [390, 1360]) {
      await page.setViewportSize({ width, height: 850 })
      faults.push(...(await faultsOf(page, view, width)))
    }
    return faults
  }

  it('a member opens a fax of another group with a reason, and whoever sees the fax sees who did', async () => {
    const { client } = gateway
    const member = await joined(browser, gateway, 'Mia', 'member', / 404 .*\/(inbound|fax-jobs)\//)
    const operator = await joined(browser, gateway, 'Olga', 'operator')
    const { id: group } = await client.createGroup({ body: { name: 'Oncology' } })
    await client.addGroupNumber({ params: { id: group, number: '+15555550120' } })
    const { id } = await client.simulateInbound({ body: { to: '+15555550120', fr: '+15555558866' } })

    await member.page.keyboard.press('Control+k')
    await member.page.getByRole('combobox', { name: /or fax$/ }).fill(id)
    await member.page.getByRole('option', { name: /Fax ID$/ }).click()
    const offer = member.page.getByRole('button', { name: 'Open with a reason…' })
    await offer.click()
    await member.page.getByRole('textbox', { name: 'Reason' }).fill(reason)
    member.faults.push(...(await faultsOf(member.page, 'reason', 1360)))
    await press(member.page, 'Open fax')
    await member.page.getByText(/^Opened with a reason until \d\d:\d\d\. This access is recorded\.$/).waitFor()
    await member.page.getByRole('img', { name: 'Page 1 of 1' }).waitFor()
    member.faults.push(...(await lookAt(member.page, 'opened-with-reason')))

    await goTo(operator.page, 'Inbox')
    await title(operator.page, 'Inbox')
    await operator.page.getByText(id.slice(0, 8)).first().click()
    await operator.page.getByText(`Mia: ${reason}`).waitFor()
    for (const { page } of [member, operator]) await page.context().close()
    expect([member.faults, operator.faults]).toEqual([[], []])
  })

  it('an administrator confirms who they are, and what they did is done', async () => {
    const { page, faults } = await joined(browser, gateway, 'Ada', 'administrator', / 403 .*\/admin\/|net::ERR_/)
    await gateway.stop()
    const database = new DatabaseSync(join(gateway.directory, 'faxdeck.db'))
    database.exec("UPDATE person_sessions SET confirmed_at = '2026-01-01T00:00:00.000Z'")
    database.close()
    await gateway.start()
    await page.reload()
    await goTo(page, 'People')
    await press(page, 'Invite')
    const form = page.getByRole('dialog', { name: 'Invite a person' })
    await form.getByLabel('Name').fill('Eve')
    await form.getByLabel('Email').fill('eve@clinic.example')
    await press(page, 'Invite')
    await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor()
    faults.push(...(await lookAt(page, 'confirm')))
    await page.getByLabel('Your password').fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByText('The current password is wrong.').waitFor()
    await page.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Sign-in link for Eve' }).waitFor()
    await press(page, 'Done')
    const people = await gateway.client.listPeople({})
    expect(people.map(({ name }) => name)).toContain('Eve')
    const { items } = await gateway.client.listLogs({ query: { event: 'account_confirmed' } })
    expect(items).toMatchObject([{ name: 'Ada', how: 'password' }])
    await page.context().close()
    expect(faults).toEqual([])
  })
})
