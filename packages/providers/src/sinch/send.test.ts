import type { Line, ProviderSettings } from '@faxdeck/provider-kit'
import { type EmulatorOptions, serve } from '@faxdeck/provider-kit/emulator'
import { madeHost, faxTo, handedOver, settingsFrom } from '@faxdeck/provider-kit/testing/made-host'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { emulate } from './emulator.ts'
import { openSinch } from './send.ts'
import { sinchSettings } from './settings.ts'

const never = new AbortController().signal
const callbackUrlOf = (attemptId: string) => `http://127.0.0.1:1/sinch-callback?attempt=${attemptId}`

async function open(settings: ProviderSettings = {}, options: Partial<EmulatorOptions> = {}, now?: () => Date) {
  const emulator = await emulate({ gatewayUrl: 'http://127.0.0.1:1', ...options })
  onTestFinished(() => emulator.close())
  const host = madeHost(now ? { now } : {})
  const line = openSinch(host, { ...settingsFrom(sinchSettings, emulator.env), ...settings })
  const paths = () => emulator.requests.map(({ path }) => path.split('/').at(-1))
  return { emulator, line: line as Required<Line>, paths }
}

const marked = (to: string) => {
  const fax = faxTo(to)
  return { ...fax, callbackUrl: callbackUrlOf(fax.attemptId) }
}

describe('the line to Sinch', () => {
  it('uploads the document, without retries of their own, and says where to report and how to prove it', async () => {
    const { emulator, line } = await open({ sinch_from: '+15550100001' })
    const fax = marked('+15555550123')
    const { providerId, update } = await line.send(fax, never)
    expect(update).toMatchObject({ state: 'queued', word: 'QUEUED' })
    expect(emulator.faxes).toMatchObject([
      {
        id: providerId,
        to: fax.to,
        from: '+15550100001',
        pages: 2,
        labels: { contentType: 'application/json', maxRetries: '0' },
      },
    ])
    const given = new URL(emulator.faxes[0]?.callbackUrl ?? '')
    expect([given.username, given.password, given.searchParams.get('attempt')]).toEqual([
      'sinch',
      'emulated-webhook-password',
      fax.attemptId,
    ])
  })

  it('names no callback address while there is no password that could prove it', async () => {
    const { emulator, line } = await open({ sinch_inbound_basic_pass: null })
    await line.send(marked('+15555550123'), never)
    expect(emulator.faxes[0]?.callbackUrl).toBeNull()
  })

  it('comes from the number of its sender rather than from that of the settings', async () => {
    const { emulator, line } = await open({ sinch_from: '+15550100001' })
    await line.send(faxTo('+15555550123', { from: '+15550100002' }), never)
    expect(emulator.faxes[0]?.from).toBe('+15550100002')
  })

  it('says what its header line is to say, where that is set', async () => {
    const { emulator, line } = await open()
    for (const change of [{}, { headerText: 'Praxis Müller' }]) await line.send(faxTo('+15555550123', change), never)
    const sent = emulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('faxes'))
    const reported = sent.map((request) => request.form().fields.find(([name]) => name === 'headerText')?.[1])
    expect(reported).toEqual([undefined, 'Praxis Müller'])
  })

  it('gives a link in place of the document', async () => {
    const { line } = await open({ sinch_document: 'link' })
    const fax = faxTo('+15555550123', { documentUrl: () => Promise.resolve('http://127.0.0.1:1/nothing.pdf') })
    const { providerId } = await line.send(fax, never)
    await vi.waitFor(async () => expect(await line.status(providerId, never)).toMatchObject({ kind: 'bad_document' }))
  })

  it.each([
    ['+15555550123', { state: 'delivered', pagesConfirmed: 2 }],
    ['+19898989898', { state: 'delivered', pagesConfirmed: 2 }],
    ['+15555550100', { state: 'failed', kind: 'busy', pagesConfirmed: 0 }],
    ['+15555550101', { state: 'failed', kind: 'no_answer' }],
    ['+15555550103', { state: 'failed', kind: 'partial', pagesConfirmed: 1 }],
  ])('follows a fax to %s to its end', async (to, end) => {
    const { line } = await open()
    const { providerId } = await line.send(faxTo(to), never)
    await vi.waitFor(async () => expect(await line.status(providerId, never)).toMatchObject({ providerId, ...end }))
  })

  it.each([
    [
      '+15555550102',
      { kind: 'bad_number', message: expect.stringContaining('to: the number is not in service.') as unknown },
    ],
    ['+15555550108', { kind: 'rate_limited', retryAfterSeconds: 1 }],
    ['+15555550109', { kind: 'uncertain' }],
  ])('reports a refusal of %s for what it is', async (to, problem) => {
    const { emulator, line } = await open()
    await expect(line.send(faxTo(to), never)).rejects.toMatchObject(problem)
    expect(emulator.faxes).toEqual([])
  })

  it.each([
    [
      'an empty account',
      { status: 402, body: { code: '402', error: 'Payment required', message: 'No funds' } },
      'rejected',
    ],
    ['an acceptance without an id', { status: 200, body: {} }, 'uncertain'],
    ['an acceptance that is a page', { status: 200, bytes: Buffer.from('<html>') }, 'uncertain'],
    ['one fax in a list', { status: 200, body: { faxes: [{ id: '01J', status: 'QUEUED' }] } }, undefined],
  ] as const)('understands %s', async (_what, reply, kind) => {
    const { emulator, line } = await open()
    emulator.answerNext(reply, /faxes$/)
    const sending = line.send(faxTo('+15555550123'), never)
    if (kind) await expect(sending).rejects.toMatchObject({ kind })
    else expect(await sending).toMatchObject({ providerId: '01J' })
  })

  it('finds what was taken by its label, or by the callback address where labels are not given back', async () => {
    const { emulator, line } = await open()
    const doubt = { kind: 'uncertain' }
    const [bare, fax] = [faxTo('+15555550106'), marked('+15555550106')]
    for (const each of [bare, fax]) await expect(line.send(each, never)).rejects.toMatchObject(doubt)
    const find = (attemptId: string) => line.find(attemptId, never, handedOver('+15555550106'))
    for (const [place, { attemptId }] of [bare, fax].entries()) {
      expect(emulator.faxes[place]?.labels.attempt).toBe(attemptId)
      expect(await find(attemptId)).toMatchObject({ taken: true, providerId: emulator.faxes[place]?.id })
    }
    for (const { labels } of emulator.faxes) delete (labels as { attempt?: string }).attempt
    expect(await find(fax.attemptId)).toMatchObject({ providerId: emulator.faxes[1]?.id })
  })

  it('takes no fax for its own that carries no reference, however few there are', async () => {
    const { emulator, line } = await open()
    await line.send(faxTo('+15555550123'), never)
    delete (emulator.faxes[0]?.labels as { attempt?: string }).attempt
    const lost = handedOver('+15555550123')
    await expect(line.find('a'.repeat(32), never, lost)).rejects.toThrow('without a reference')
    // One that is known to be another attempt of ours is not in question.
    const isKnown = () => Promise.resolve(true)
    await expect(line.find('a'.repeat(32), never, { ...lost, isKnown })).rejects.toThrow('does not list this fax')
  })

  it.each([
    ['from 0', { base: 0 }],
    ['from 1', { base: 1 }],
    ['from 0, without saying so', { base: 0, says: {} }],
    ['from 1, without saying so', { base: 1, says: {} }],
  ])(
    'reads its list to the end where pages are counted %s',
    async (_how, { base, says }: { base: number; says?: object }) => {
      const faxes = Array.from({ length: 250 }, (_, n) => ({
        id: `01J${n}`,
        to: '+15555550123',
        callbackUrl: callbackUrlOf('b'.repeat(32)),
      }))
      const ours = { id: '01JOURS', to: '+15555550123', callbackUrl: callbackUrlOf('a'.repeat(32)) }
      for (const place of [0, 100, 199, 250]) {
        const all = faxes.toSpliced(place, 0, ours)
        const server = await serve(({ query }) => {
          const page = query.has('page') ? Number(query.get('page')) - base : 0
          const counts = says ?? { pageNumber: page + base, totalItems: all.length }
          return { status: 200, body: { faxes: all.slice(page * 100, page * 100 + 100), ...counts } }
        })
        onTestFinished(() => server.close())
        const { line: other } = await open({ sinch_auth_method: 'basic', sinch_base_url: server.origin })
        expect(await other.find('a'.repeat(32), never, handedOver())).toMatchObject({
          taken: true,
          providerId: '01JOURS',
        })
        expect(server.requests[0]?.query.has('page')).toBe(false)
      }
    },
  )

  it('concludes nothing from what is no list of faxes', async () => {
    const { emulator, line } = await open()
    for (const body of [{}, [], { faxes: null }, { faxes: [{}] }, { faxes: [], totalItems: 3 }]) {
      emulator.answerNext({ status: 200, body }, /faxes$/)
      emulator.answerNext({ status: 200, body }, /faxes$/)
      await expect(line.find('a'.repeat(32), never, handedOver())).rejects.toMatchObject({ kind: 'uncertain' })
    }
  })

  it('lists what was received and sent, and gets the documents, also where older accounts have them', async () => {
    const { emulator, line } = await open()
    const given = {
      from: '+15551230000',
      to: '+15551230001',
      pages: 1,
      pdf: Buffer.from('%PDF-x'),
      reported: 'never',
    } as const
    for (let n = 0; n < 120; n += 1) await emulator.receive(given)
    const fax = marked('+15555550123')
    await line.send(fax, never)
    const received = await line.listReceived(new Date(0), never)
    expect(new Set(received.map(({ providerId }) => providerId)).size).toBe(120)
    expect(await line.listSent(new Date(0), never)).toMatchObject([{ attemptId: fax.attemptId }])
    const [{ providerId } = { providerId: '' }] = received
    expect(Buffer.from(await line.fetchDocument(providerId, never)).toString()).toBe('%PDF-x')
    emulator.answerNext({ status: 404 }, /\/file\.pdf$/)
    emulator.answerNext({ status: 200, bytes: Buffer.from('older') }, /\/file$/)
    expect(Buffer.from(await line.fetchDocument(providerId, never)).toString()).toBe('older')
    await expect(line.fetchDocument('nobody', never)).rejects.toMatchObject({ kind: 'rejected' })
  })

  it('lists faxes that were given no address of ours, which a restored gateway must hear of', async () => {
    const { line } = await open({ sinch_inbound_basic_pass: null })
    const { providerId } = await line.send(marked('+15555550123'), never)
    expect(await line.listSent(new Date(0), never)).toMatchObject([
      { providerId, to: '+15555550123', at: expect.any(Date) as unknown },
    ])
  })

  it('registers its webhook with the default service, and with the one that is set', async () => {
    const { emulator, line } = await open()
    await line.registerWebhook('http://127.0.0.1:1/sinch-inbound', never)
    expect(emulator.service).toMatchObject({
      incomingWebhookUrl: 'http://sinch:emulated-webhook-password@127.0.0.1:1/sinch-inbound',
      webhookContentType: 'multipart/form-data',
    })
    const { line: other } = await open({ sinch_service_id: 'nobody' })
    await expect(other.registerWebhook('http://127.0.0.1:1/', never)).rejects.toThrow(
      'Sinch refused the webhook address (404). Sinch says: The requested resource was not found.',
    )
    const { line: bare } = await open({ sinch_inbound_basic_pass: null })
    await expect(bare.registerWebhook('http://127.0.0.1:1/', never)).rejects.toThrow('SINCH_INBOUND_BASIC_PASS')
    const { line: real } = await open({ sinch_base_url: 'https://fax.api.sinch.com/v3' })
    await expect(real.registerWebhook('http://localhost:8080/', never)).rejects.toThrow('PUBLIC_API_URL')
  })
})

describe('signing in to Sinch', () => {
  it('asks for one token for many, and for another a minute before it expires', async () => {
    const clock = { ms: Date.now() }
    const { line, paths } = await open({}, {}, () => new Date(clock.ms))
    await Promise.all([line.status('a', never), line.status('b', never), line.status('c', never)])
    expect(paths().filter((path) => path === 'token')).toHaveLength(1)
    clock.ms += 3539_000
    await line.status('a', never)
    expect(paths().filter((path) => path === 'token')).toHaveLength(1)
    clock.ms += 2000
    await line.status('a', never)
    expect(paths().filter((path) => path === 'token')).toHaveLength(2)
  })

  it('renews a token that was revoked, once, and loses no fax over it', async () => {
    const { emulator, line, paths } = await open()
    await line.status('a', never)
    emulator.revokeTokens()
    await line.send(faxTo('+15555550123'), never)
    expect(emulator.faxes).toHaveLength(1)
    expect(paths()).toEqual(['token', 'a', 'faxes', 'token', 'faxes'])
    emulator.answerNext({ status: 401 }, /faxes$/)
    emulator.answerNext({ status: 401 }, /faxes$/)
    await expect(line.send(faxTo('+15555550123'), never)).rejects.toMatchObject({ kind: 'bad_credentials' })
    expect(emulator.faxes).toHaveLength(1)
  })

  it.each([
    [{ status: 401 }, 'bad_credentials'],
    [{ status: 500 }, 'unreachable'],
    [{ status: 200, body: {} }, 'unreachable'],
    [{ status: 429, headers: { 'retry-after': '9' } }, 'rate_limited'],
    ['cut', 'unreachable'],
  ] as const)('sends nothing and tries no other way in when the token is answered by %j', async (reply, kind) => {
    const { emulator, line, paths } = await open()
    emulator.answerNext(reply, /token$/)
    await expect(line.send(faxTo('+15555550123'), never)).rejects.toMatchObject({ kind })
    expect(paths()).toEqual(['token'])
  })

  it('uses the key itself where Basic was chosen', async () => {
    const { emulator, line, paths } = await open({ sinch_auth_method: 'basic' })
    await line.send(faxTo('+15555550123'), never)
    expect(paths()).toEqual(['faxes'])
    const { line: wrong } = await open({
      sinch_auth_method: 'basic',
      sinch_api_secret: 'wrong',
      sinch_base_url: `${emulator.origin}/v3`,
    })
    await expect(wrong.send(faxTo('+15555550123'), never)).rejects.toMatchObject({ kind: 'bad_credentials' })
  })
})
