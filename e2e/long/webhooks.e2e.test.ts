import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { faultsOf } from '../harness/access.ts'
import { browserPath, launchBrowser, openVisit } from '../harness/browser.ts'
import { type GatewayProcess, startGateway } from '../harness/gateway-process.ts'
import { goTo, returnToConsole, title } from '../harness/operator.ts'
import { viewportOf, widths } from '../harness/screens.ts'
import { waitFor } from '../harness/wait.ts'

const env = { TESTLINE_SECONDS: '0', WEBHOOK_ALLOWED_CIDRS: '127.0.0.1' }

interface Arrived {
  headers: IncomingHttpHeaders
  body: string
}

/** A program behind a webhook; it answers what it is told to. */
async function startReceiver() {
  const arrived: Arrived[] = []
  const receiver = { url: '', arrived, answers: 204 }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      arrived.push({ headers: request.headers, body })
      response.writeHead(receiver.answers).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  receiver.url = `http://127.0.0.1:${address.port}/a/rather/long/path/of/an/integration/that/listens/to/faxes`
  return receiver
}

function isSignedWith(secret: string, { headers, body }: Arrived): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click()

describe.skipIf(!browserPath)('webhooks in the console', () => {
  let gateway: GatewayProcess
  let browser: Browser
  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startGateway({ env }), launchBrowser()])
  })
  afterAll(async () => {
    await browser.close()
    await gateway.remove()
  })

  it.each(widths)('are added, tested, watched, replayed, paused and removed, %i pixels wide', async (width) => {
    const receiver = await startReceiver()
    const how = { viewport: viewportOf({ width }), reducedMotion: 'reduce' } as const
    const { page, faults } = await openVisit(browser, gateway.url, how)
    const look = async (view: string) => void faults.push(...(await faultsOf(page, view, width)))
    await returnToConsole(page, gateway, 'system')
    await goTo(page, 'Keys', 'Settings')
    await page.getByText('No webhooks yet').waitFor()
    await look('webhooks-empty')

    await press(page, 'Add webhook')
    await page.getByLabel('Address (URL)').fill(receiver.url)
    await look('webhook-new')
    await press(page, 'Add')
    await page.getByRole('button', { name: 'Copy secret' }).waitFor()
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? ''
    await press(page, 'Done')
    await look('webhooks')

    const name = new URL(receiver.url).host
    await press(page, `Open webhook ${name}`)
    await title(page, name)
    await press(page, 'Send a test')
    const dialog = page.getByRole('dialog', { name: 'webhook.test' })
    await dialog.getByText('Delivered').waitFor()
    expect(receiver.arrived).toHaveLength(1)
    expect(isSignedWith(secret, receiver.arrived[0] as Arrived)).toBe(true)
    await look('webhook-test')
    await page.keyboard.press('Escape')

    receiver.answers = 500
    const file = new File(['Results'], 'letter.txt', { type: 'text/plain' })
    const { id } = await gateway.client.submitFax({ form: { to: '+15555550123', file } })
    await page.getByText('Retrying').first().waitFor()
    await look('webhook-page')
    await page.getByRole('button', { name: /^Open fax\.delivered/ }).click()
    await page.getByText(`"id": "${id}"`).waitFor()
    await look('webhook-delivery')
    await press(page, 'Close')

    receiver.answers = 204
    await page.getByRole('button', { name: /^Replay webhook\.test/ }).click()
    const idOf = ({ headers }: Arrived) => headers['webhook-id']
    await waitFor('the test again', async () => {
      const first = receiver.arrived[0] as Arrived
      return receiver.arrived.slice(1).find((each) => idOf(each) === idOf(first) && each.body === first.body)
    })

    await press(page, 'Pause')
    await press(page, 'Pause')
    await page.getByText(/until you resume the webhook\. Missed deliveries can then be replayed/).waitFor()
    await look('webhook-paused')
    await press(page, 'Remove')
    await press(page, 'Remove')
    await page.getByText('No webhooks yet').waitFor()
    expect(await gateway.client.listWebhooks({})).toEqual([])
    await page.context().close()
    expect(faults).toEqual([])
  })
})
