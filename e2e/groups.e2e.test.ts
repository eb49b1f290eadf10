import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, keepPicture, launchBrowser } from './harness/browser.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { joined } from './harness/joined.ts'
import { goTo, title } from './harness/operator.ts'

const own = '+15555550110'
const foreign = '+15555550120'
const sender = { own: '+15555557713', foreign: '+15555558866' }

const rowOf = (page: Page, id: string) => page.getByText(id.slice(0, 8)).first()

describe.skipIf(!browserPath)('two people of different roles at once', () => {
  let gateway: GatewayProcess
  let browser: Browser

  beforeAll(async () => {
    gateway = await startGateway()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await gateway.remove()
  })

  it('an operator sees both groups, a member sees a fax of their own arrive and learns nothing of the other', async () => {
    const { client } = gateway
    const operator = await joined(browser, gateway, 'Olga', 'operator')
    const member = await joined(browser, gateway, 'Mia', 'member')
    for (const [name, number] of [
      ['Cardiology', own],
      ['Oncology', foreign],
    ] as const) {
      const { id } = await client.createGroup({ body: { name } })
      await client.addGroupNumber({ params: { id, number } })
      if (number === own) await client.addGroupMember({ params: { id, person: member.person.id } })
    }
    const answers: string[] = []
    member.page.on('response', (response) => {
      if (!/json/.test(response.headers()['content-type'] ?? '')) return
      void response.text().then(
        (text) => answers.push(text),
        () => undefined,
      )
    })
    for (const { page } of [operator, member]) {
      await page.reload()
      await goTo(page, 'Inbox')
      await title(page, 'Inbox')
    }
    await member.page.getByText('No faxes received yet').waitFor()

    const there = await client.simulateInbound({ body: { to: foreign, fr: sender.foreign } })
    await rowOf(operator.page, there.id).waitFor()
    const here = await client.simulateInbound({ body: { to: own, fr: sender.own } })
    await rowOf(member.page, here.id).waitFor()
    await rowOf(operator.page, here.id).waitFor()
    expect(await rowOf(member.page, there.id).count()).toBe(0)

    await rowOf(member.page, here.id).click()
    await member.page.getByText('Cardiology').waitFor()
    await keepPicture(member.page, 'member-inbox')
    for (const place of ['Jobs', 'Send', 'Inbox']) {
      await goTo(member.page, place)
      await title(member.page, place)
    }
    expect(await member.page.getByRole('button', { name: 'More actions' }).count()).toBeLessThan(2)
    await operator.page.getByLabel('Group').selectOption({ label: 'Oncology' })
    await rowOf(operator.page, there.id).waitFor()
    await expect.poll(() => rowOf(operator.page, here.id).count()).toBe(0)
    const learned = answers.join('\n') + (await member.page.content())
    for (const secret of [there.id, foreign, sender.foreign, 'Oncology', 'Olga']) expect(learned).not.toContain(secret)
    expect([operator.faults, member.faults]).toEqual([[], []])
  })
})
