import { sampleFax } from '@faxdeck/provider-kit/conformance'
import { fetchLinkedPdf, serve, type EmulatedServer } from '@faxdeck/provider-kit/emulator'
import { handedOver, madeHost, settingsFrom } from '@faxdeck/provider-kit/testing/made-host'
import { expect, describe, it, onTestFinished, vi } from 'vitest'
import { emulate } from './emulator.ts'
import { signalwire } from './index.ts'
import { openSignalwire } from './send.ts'

const pdf = Buffer.from('%PDF-1.4 /Type/Page /Type/Page\n%%EOF\n')
const signal = () => AbortSignal.timeout(5000)

/** A line to the stand-in, whose gateway is a server that answers with the document and remembers callbacks. */
async function standIn(change: Record<string, string> = {}) {
  const gateway = await serve(({ method }) =>
    method === 'GET' ? { status: 200, bytes: pdf } : { status: 200, body: { ok: true } },
  )
  const emulator = await emulate({ gatewayUrl: gateway.origin, stepMs: 2 })
  onTestFinished(async () => {
    await emulator.close()
    await gateway.close()
  })
  const settings = settingsFrom(signalwire.settings, { ...emulator.env, ...change })
  const line = openSignalwire(madeHost({ publicUrl: gateway.origin }), settings)
  const fax = (to: string, attemptId = '1'.repeat(32)) => ({
    ...sampleFax,
    to,
    attemptId,
    documentUrl: () => Promise.resolve(`${gateway.origin}/fax.pdf`),
    callbackUrl: `${gateway.origin}/signalwire-callback?attempt=${attemptId}`,
  })
  const ended = async (id: string) => {
    await vi.waitFor(() => expect(emulator.faxes.find((each) => each.id === id)?.state).toBe('ended'))
    return line.status?.(id, signal())
  }
  const callbacks = () => gateway.requests.filter(({ method }) => method === 'POST')
  return { emulator, gateway, line, fax, ended, callbacks }
}

const knownToUs = (isKnown: boolean, to: string) => handedOver(to, { isKnown: () => Promise.resolve(isKnown) })

/** A server that answers everything with this. */
async function answering(...replies: Parameters<EmulatedServer['answerNext']>[0][]) {
  const server = await serve(() => replies.shift() ?? { status: 500 })
  onTestFinished(() => server.close())
  const settings = {
    signalwire_base_url: server.origin,
    signalwire_project_id: 'p',
    signalwire_api_token: 't',
    signalwire_fax_from_e164: '+15550100001',
  }
  return { server, line: openSignalwire(madeHost({ publicUrl: server.origin }), settings) }
}

describe('a fax over SignalWire', () => {
  it('is fetched, sent, called back about, and delivered with its pages', async () => {
    const { emulator, line, fax, ended, callbacks } = await standIn()
    const { providerId, update } = await line.send(fax('+15555550123'), signal())
    const known = { providerId, to: '+15555550123', account: emulator.env.SIGNALWIRE_PROJECT_ID }
    expect(update).toEqual({ ...known, state: 'queued', word: 'queued' })
    expect(await ended(providerId)).toEqual({ ...known, state: 'delivered', word: 'delivered', pagesConfirmed: 2 })
    expect(Buffer.from(emulator.faxes[0]?.pdf ?? []).equals(pdf)).toBe(true)
    await vi.waitFor(() => expect(callbacks()).toHaveLength(1))
  })

  it.each([
    ['+15555550100', 'busy'],
    ['+15555550101', 'no_answer'],
    ['+15555550103', 'partial'],
  ])('to %s ends as %s', async (to, kind) => {
    const { line, fax, ended } = await standIn()
    const { providerId } = await line.send(fax(to), signal())
    expect(await ended(providerId)).toMatchObject({ state: 'failed', kind })
  })

  it('is drawn at standard resolution where the far end cannot take a finer one', async () => {
    const { emulator, line, fax } = await standIn()
    await line.send(fax('+15555550123'), signal())
    await line.send({ ...fax('+15555550123'), resolution: 'standard' }, signal())
    expect(emulator.faxes.map(({ labels }) => labels.quality)).toEqual(['fine', 'standard'])
  })

  it('whose document cannot be fetched did not go out, and may be tried again', async () => {
    const { line, fax, ended, gateway } = await standIn()
    gateway.answerNext({ status: 403 }, /fax/)
    const { providerId } = await line.send(fax('+15555550199'), signal())
    expect(await ended(providerId)).toMatchObject({ state: 'failed', kind: 'line_error' })
  })

  it.each([
    ['+15555550102', 'bad_number', undefined],
    ['+15555550108', 'rate_limited', 1],
    ['+15555550109', 'uncertain', undefined],
    ['+15555550106', 'uncertain', undefined],
  ])('to %s is reported as %s', async (to, kind, retryAfterSeconds) => {
    const { line, fax } = await standIn()
    await expect(line.send(fax(to), signal())).rejects.toMatchObject({ kind, retryAfterSeconds })
  })

  it('is refused in the words of SignalWire when the number does not belong to the project', async () => {
    const { line, fax } = await standIn({ SIGNALWIRE_FAX_FROM_E164: '+15550199999' })
    await expect(line.send(fax('+15555550123'), signal())).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining("The 'From' number is not a fax capable number of the project.") as unknown,
    })
  })

  it('is not even offered when SignalWire could not fetch the document', async () => {
    const line = openSignalwire(madeHost({ publicUrl: 'http://localhost:8080' }), {
      signalwire_space_url: 'example.signalwire.com',
    })
    await expect(line.send(sampleFax, signal())).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('leads to this machine alone') as unknown,
    })
  })

  it('is called back about at the address that is set, with its attempt', async () => {
    const own = await serve(() => ({ status: 200 }))
    onTestFinished(() => own.close())
    const { line, fax } = await standIn({ SIGNALWIRE_STATUS_CALLBACK_URL: `${own.origin}/sw?at=us` })
    await line.send(fax('+15555550123', 'a7'), signal())
    await vi.waitFor(() => expect(own.requests[0]?.query.toString()).toBe('at=us&attempt=a7'))
  })

  it.each([[{ status: 200, body: {} }], [{ status: 200 }], [{ status: 200, body: { sid: 7 } }]])(
    'answered with %j may have been taken',
    async (reply) => {
      const { line } = await answering(reply)
      await expect(line.send(sampleFax, signal())).rejects.toMatchObject({ kind: 'uncertain' })
    },
  )

  it('is unknown when SignalWire does not know it, and not asked for when it answers nonsense', async () => {
    const another = { status: 200, body: { sid: 'another', to: '+15555550124' } }
    const { line } = await answering({ status: 404 }, another, { status: 200, body: {} }, { status: 503 })
    expect(await line.status?.('a', signal())).toBeUndefined()
    expect(await line.status?.('a', signal())).toMatchObject({ providerId: 'another', to: '+15555550124' })
    await expect(line.status?.('a', signal())).rejects.toMatchObject({ name: 'ProviderProblem' })
    await expect(line.status?.('a', signal())).rejects.toMatchObject({ kind: 'uncertain' })
  })

  it('is canceled while it is queued, and not promised to be later', async () => {
    const { line, fax, ended, emulator } = await standIn()
    const slow = await line.send(fax('+15555550104'), signal())
    expect(await line.cancel?.(slow.providerId, signal())).toBe(true)
    expect(await line.status?.(slow.providerId, signal())).toMatchObject({ state: 'failed', kind: 'cancelled' })
    const { providerId } = await line.send(fax('+15555550123'), signal())
    await ended(providerId)
    expect(await line.cancel?.(providerId, signal())).toBe(false)
    expect(emulator.faxes.map(({ ending }) => ending)).toEqual(['cancelled', 'delivered'])
  })

  it.each([{ sid: 'a', status: 'sending' }, { sid: 'a' }, {}, { sid: 'b', status: 'canceled' }])(
    'is not promised to be canceled by a success that does not say so of it: %j',
    async (body) => {
      const { line } = await answering({ status: 200, body })
      expect(await line.cancel?.('a', signal())).toBe(false)
    },
  )

  it('waits where the queue of SignalWire is full, because that refuses every fax for now', async () => {
    const { line } = await answering({ status: 400, body: { code: 21611, message: 'Queue is full' } })
    await expect(line.send(sampleFax, signal())).rejects.toMatchObject({ kind: 'rate_limited' })
  })
})

describe('a fax of which no answer came', () => {
  it('is recognized by its number and time, when it is the only one', async () => {
    const { emulator, line, fax } = await standIn()
    await expect(line.send(fax('+15555550106'), signal())).rejects.toMatchObject({ kind: 'uncertain' })
    const attempt = knownToUs(false, '+15555550106')
    expect(await line.find?.('a', signal(), attempt)).toEqual({ taken: true, providerId: emulator.faxes[0]?.id })
  })

  it('is recognized by the number that it was to come from', async () => {
    const { emulator, line, fax } = await standIn()
    await line.send({ ...fax('+15555550123'), from: '+15550100002' }, signal())
    expect(emulator.faxes[0]?.from).toBe('+15550100002')
    const attempt = knownToUs(false, '+15555550123')
    const taken = { taken: true, providerId: emulator.faxes[0]?.id }
    expect(await line.find?.('a', signal(), { ...attempt, from: '+15550100002' })).toEqual(taken)
    await expect(line.find?.('a', signal(), attempt)).rejects.toMatchObject({ kind: 'uncertain' })
  })

  it('is not guessed: none, another attempt of ours, or two', async () => {
    const { line, fax } = await standIn()
    const find = (isKnown: boolean) => line.find?.('a', signal(), knownToUs(isKnown, '+15555550123'))
    await expect(find(false)).rejects.toMatchObject({ kind: 'uncertain' })
    await line.send(fax('+15555550123'), signal())
    await expect(find(true)).rejects.toMatchObject({ kind: 'uncertain' })
    await line.send(fax('+15555550123'), signal())
    await expect(find(false)).rejects.toMatchObject({ kind: 'uncertain' })
  })

  it.each([
    ['that came in', { direction: 'inbound' }],
    ['from another number of the account', { from: '+15550100002' }],
  ])('is not taken for one %s', async (_, other) => {
    const ours = {
      direction: 'outbound',
      from: '+15550100001',
      to: '+15555550123',
      date_created: new Date().toISOString(),
    }
    const list = (fax: object) => ({ status: 200, body: { faxes: [{ sid: 'f1', ...ours, ...fax }] } })
    const { line } = await answering(list({}), list(other))
    const find = () => line.find?.('a', signal(), knownToUs(false, '+15555550123'))
    expect(await find()).toEqual({ taken: true, providerId: 'f1' })
    await expect(find()).rejects.toMatchObject({ kind: 'uncertain' })
  })
})

describe('what a lost callback would have reported', () => {
  it('is listed, page after page', async () => {
    const { emulator, line, fax } = await standIn()
    const since = new Date(Date.now() - 60_000)
    for (let n = 0; n < 210; n++) await line.send(fax('+15555550107'), signal())
    const id = await emulator.receive({ from: '+15550100009', to: '+15550100001', pages: 1, pdf, reported: 'never' })
    await vi.waitFor(() => expect(emulator.faxes.every(({ state }) => state === 'ended')).toBe(true))
    const sent = (await line.listSent?.(since, signal())) ?? []
    expect([sent.length, new Set(sent.map(({ state }) => state))]).toEqual([210, new Set(['delivered'])])
    const received = await line.listReceived?.(since, signal())
    expect(received).toMatchObject([{ providerId: id, state: 'received', from: '+15550100009' }])
    expect(await line.listReceived?.(new Date(Date.now() + 60_000), signal())).toEqual([])
  })

  it('is not followed to another host', async () => {
    const { line, server } = await answering({
      status: 200,
      body: { faxes: [], next_page_uri: 'https://evil.example/next' },
    })
    await expect(line.listSent?.(new Date(0), signal())).rejects.toThrow('another host')
    expect(server.requests).toHaveLength(1)
  })
})

describe('the document of a received fax', () => {
  it('is fetched by its address or by its fax, with the token where that is wanted', async () => {
    const { emulator, line } = await standIn()
    const id = await emulator.receive({ from: '+1', to: '+2', pages: 1, pdf, reported: 'never' })
    const [byList] = (await line.listReceived?.(new Date(0), signal())) ?? []
    const reference = byList?.document && 'fetch' in byList.document ? byList.document.fetch : ''
    expect(reference).toMatch(/^http.*\.pdf$/)
    await expect(fetchLinkedPdf(reference)).rejects.toThrow('401')
    for (const each of [reference, id]) {
      expect(Buffer.from((await line.fetchDocument?.(each, signal())) ?? []).equals(pdf)).toBe(true)
    }
  })

  it.each(['https://evil.example/a.pdf', 'http://files.signalwire.com/a.pdf', 'https://signalwire.com.evil.example/a'])(
    'is not fetched from %s',
    async (reference) => {
      const { line, server } = await answering()
      await expect(line.fetchDocument?.(reference, signal())).rejects.toThrow('not a host of SignalWire')
      expect(server.requests).toEqual([])
    },
  )

  it('that is not given out, or of a fax without one, is said to be so', async () => {
    const { line, server } = await answering({ status: 500 }, { status: 200, body: { sid: 'x', media_url: null } })
    await expect(line.fetchDocument?.(`${server.origin}/a.pdf`, signal())).rejects.toThrow('(500)')
    await expect(line.fetchDocument?.('x', signal())).rejects.toThrow('no document with this fax')
  })
})
