import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Provider } from '../packages/provider-kit/src/index.ts'
import { madeHost } from '../packages/provider-kit/src/testing/made-host.ts'
import { providers } from '../packages/providers/src/registry.ts'
import { type Cloud, type Emulate, openCloud } from './harness/cloud.ts'
import { pdfOf } from './harness/paper.ts'
import { waitFor } from './harness/wait.ts'

const clouds = providers.filter(({ kind }) => kind === 'cloud')
const emulatorOf = (id: string) => new URL(`../packages/providers/src/${id}/emulator.ts`, import.meta.url)
const emulated = clouds.filter(({ id }) => existsSync(fileURLToPath(emulatorOf(id))))

/** Providers that give the document away by a link only when told to. */
const linking = emulated.flatMap((provider) =>
  provider.settings.flatMap((row) =>
    row.type === 'choice' && row.choices.some(({ value }) => value === 'link')
      ? [{ id: provider.id, key: row.key, name: provider.name }]
      : [],
  ),
)
const listing = emulated.filter((provider) => provider.open?.(madeHost(), {}).listReceived !== undefined)

async function open(provider: Provider) {
  const { emulate } = (await import(emulatorOf(provider.id).href)) as { emulate: Emulate }
  return openCloud(provider, emulate)
}

const delivered = ['0123', '0106', '0107', '0108', '0110', '0111', '0113']
const failing: Record<string, string[]> = {
  '0100': ['busy'],
  // Not every provider says why a call was not put through.
  '0101': ['no_answer', 'line_error'],
  '0102': ['bad_number', 'rejected'],
  '0103': ['partial'],
}
const number = (digits: string) => `+1555555${digits}`
/** What a stand-in was given for a number. */
const sentTo = ({ emulator }: Cloud, digits: string) =>
  emulator.faxes.filter((fax) => fax.direction === 'sent' && fax.to === number(digits))
const received = { from: '+15551230000', to: '+15551230001', pages: 2, pdf: pdfOf([['Page one'], ['Page two']]) }
/** Comes in before the gateway is started for the first time. */
const early = { ...received, from: '+15551230002' }

/** What each provider was given to send. Some ends take their time: the providers are waited for all at once. */
const underWay = new Map<string, { cloud: Cloud; ids: Map<string, string> }>()

beforeAll(async () => {
  const opened = emulated.map(async (provider) => {
    const cloud = await open(provider)
    const ids = new Map<string, string>()
    underWay.set(provider.id, { cloud, ids })
    if (listing.includes(provider)) await cloud.emulator.receive({ ...early, reported: 'never' })
    await cloud.gateway.start()
    for (const digits of [...delivered, ...Object.keys(failing)]) ids.set(digits, await cloud.send(number(digits)))
  })
  await Promise.all(opened)
})
afterAll(() => Promise.all([...underWay.values()].map(({ cloud }) => cloud.close())))

describe.each(emulated)('$name through its stand-in', (provider) => {
  let cloud: Cloud
  const ended = (digits: string) => cloud.ended(underWay.get(provider.id)?.ids.get(digits) ?? '')

  beforeAll(() => {
    const opened = underWay.get(provider.id)
    if (opened) cloud = opened.cloud
  })

  it.each(delivered)('delivers to %s, once, whatever happens to answers and callbacks', async (digits) => {
    const job = await ended(digits)
    expect(job).toMatchObject({ status: 'SUCCESS', pages_confirmed: 2, error: null })
    expect(sentTo(cloud, digits)).toMatchObject([{ pages: 2 }])
  })

  it.each(Object.entries(failing))('fails at %s as one of %j', async (digits, kinds) => {
    const job = await ended(digits)
    expect(job.status).toBe('FAILED')
    expect(kinds).toContain(job.error_kind)
    expect(job.error).toMatch(/\.$/)
    if (job.error_kind === 'bad_number') expect(sentTo(cloud, digits)).toEqual([])
  })

  it.runIf(listing.includes(provider))('tells a gateway that starts of what came in before', async () => {
    expect(await cloud.inbox(early.from, 1)).toMatchObject([{ pages: 2, fr: early.from }])
  })

  it('receives a fax once that is announced twice, with its pages', async () => {
    await cloud.emulator.receive({ ...received, reported: 'twice' })
    const [fax, ...others] = await cloud.inbox(received.from, 1)
    expect(others).toEqual([])
    expect(fax).toMatchObject({
      fr: received.from,
      to: received.to,
      pages: 2,
      status: 'received',
      backend: provider.id,
    })
    const pdf = await fetch(`${cloud.gateway.url}/inbound/${fax?.id ?? ''}/pdf`, {
      headers: { 'x-api-key': cloud.gateway.key },
    })
    expect(Buffer.from(await pdf.arrayBuffer()).equals(received.pdf)).toBe(true)
  })

  it.runIf(provider.traits.supports_oauth)('is told where to deliver, and delivers there', async () => {
    const address = `${cloud.gateway.url}${provider.traits.webhook_path ?? ''}`
    expect(await cloud.client.registerSinchWebhook({})).toEqual({ success: true, webhook_url: address, error: null })
    await cloud.emulator.receive(received)
    expect(await cloud.inbox(received.from, 2)).toHaveLength(2)
  })

  it('refuses what a stranger posts to its addresses, and records it', async () => {
    for (const { path } of provider.webhooks) {
      const forged = await fetch(`${cloud.gateway.url}${path}`, {
        method: 'POST',
        body: new URLSearchParams({
          fax: '{"id":1,"status":"success"}',
          FaxSid: '1',
          FaxStatus: 'delivered',
          success: 'true',
        }),
      })
      expect([401, 403]).toContain(forged.status)
    }
    const { items } = await cloud.client.listLogs({ query: { event: 'callback_refused' } })
    expect(items.length).toBeGreaterThanOrEqual(provider.webhooks.length)
  })

  it('passes the check of its account, and fails it with another secret', async () => {
    const right = await cloud.client.validateSettings({ body: { backend: provider.id } })
    const critical = right.findings.filter(({ severity }) => severity === 'critical')
    expect(critical.filter(({ passed }) => !passed)).toEqual([])
    const secrets = provider.settings.filter(
      ({ type, env }) =>
        type === 'secret' &&
        /(KEY|SECRET|TOKEN)$/.test(env) &&
        env in cloud.emulator.env &&
        !/CALLBACK|SIGNING/.test(env),
    )
    const wrong = Object.fromEntries(secrets.map(({ key }) => [key, 'wrong']))
    const said = await cloud.client.validateSettings({ body: { backend: provider.id, ...wrong } })
    expect(Object.values(said.checks)).toContain(false)
    expect(said.error).toContain('refused')
  })
})

describe('after the gateway was away', () => {
  interface Absence {
    cloud: Cloud
    /** A fax that was under way when the gateway was killed. */
    sent: string
    /** The provider's id of what came in meanwhile. */
    brought: string
  }
  const absences = new Map<string, Absence>()

  async function goAway(cloud: Cloud): Promise<Absence> {
    const { emulator, gateway } = cloud
    const sent = await cloud.send(number('0104'))
    await waitFor('the hand-over', async () => sentTo(cloud, '0104').find(({ pages }) => pages > 0))
    await gateway.kill()
    const brought = emulator.receive({ ...received, reported: 'twice' })
    await gateway.start()
    return { cloud, sent, brought: await brought }
  }

  beforeAll(async () => {
    const gone = emulated.map(async (provider) => {
      const opened = underWay.get(provider.id)
      if (opened) absences.set(provider.id, await goAway(opened.cloud))
    })
    await Promise.all(gone)
  })

  /** The faxes that the inbox has of what was brought, once they are complete. */
  const receivedOf = ({ cloud, brought }: Absence) =>
    waitFor('a complete fax', async () => {
      const faxes = (await cloud.client.listInbound({ query: {} })).filter((fax) => fax.provider_sid === brought)
      return faxes.length > 0 && faxes.every(({ status }) => status === 'received') ? faxes : undefined
    })
  const absenceOf = ({ id }: Provider) => absences.get(id) as Absence

  describe.each(emulated)('$name', (provider) => {
    it('receives once what was brought while it was dead, however often it is brought', async () => {
      expect(await receivedOf(absenceOf(provider))).toMatchObject([{ pages: 2, fr: received.from }])
    })

    it('goes on with a fax that was under way when it was killed', async () => {
      const { cloud, sent } = absenceOf(provider)
      expect(await cloud.ended(sent)).toMatchObject({ status: 'SUCCESS', pages_confirmed: 2 })
      expect(sentTo(cloud, '0104')).toHaveLength(1)
    })
  })
})

it.each(linking)('$name fetches the document over the link it was given', async ({ id, key }) => {
  const { client, send, ended } = underWay.get(id)?.cloud as Cloud
  await client.updateSettings({ body: { [key]: 'link' } })
  expect(await ended(await send(number('0123')))).toMatchObject({ status: 'SUCCESS', pages_confirmed: 2 })
  const { items } = await client.listLogs({ query: { event: 'pdf_served' } })
  expect(items).toHaveLength(1)
})
