import { sampleFax } from '@faxdeck/provider-kit/conformance'
import { type EmulatedServer, serve } from '@faxdeck/provider-kit/emulator'
import { handedOver, madeHost, settingsFrom } from '@faxdeck/provider-kit/testing/made-host'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { emulate } from './emulator.ts'
import { documo } from './index.ts'
import { openDocumo } from './send.ts'

const signal = () => AbortSignal.timeout(5000)
const pdf = Buffer.from('%PDF-1.4 /Type/Page\n%%EOF\n')

async function standIn(change: Record<string, string> = {}) {
  const gateway = await serve(() => ({ status: 200 }))
  const emulator = await emulate({ gatewayUrl: gateway.origin, stepMs: 2 })
  onTestFinished(async () => {
    await emulator.close()
    await gateway.close()
  })
  const line = openDocumo(madeHost(), settingsFrom(documo.settings, { ...emulator.env, ...change }))
  const fax = (to: string, attemptId = '1'.repeat(32)) => ({
    ...sampleFax,
    to,
    attemptId,
    pdf: () => Promise.resolve(pdf),
  })
  const ended = async (id: string) => {
    await vi.waitFor(() => expect(emulator.faxes.find((each) => each.id === id)?.state).toBe('ended'))
    return line.status?.(id, signal())
  }
  return { emulator, gateway, line, fax, ended }
}

/** A server that answers everything with these, one after the other. */
async function answering(...replies: Parameters<EmulatedServer['answerNext']>[0][]) {
  const server = await serve(() => replies.shift() ?? { status: 500 })
  onTestFinished(() => server.close())
  const env = { DOCUMO_API_KEY: 'k', DOCUMO_BASE_URL: server.origin }
  return { server, line: openDocumo(madeHost(), settingsFrom(documo.settings, env)) }
}

const attempt = (to: string, isKnown = false) => handedOver(to, { isKnown: () => Promise.resolve(isKnown) })

describe('a fax over Documo', () => {
  it('is sent as it is, reported, and delivered with its pages', async () => {
    const { emulator, gateway, line, fax, ended } = await standIn({ DOCUMO_CALLER_ID: '+15550100001' })
    const { providerId, update } = await line.send(fax('+15555550123'), signal())
    expect(update).toMatchObject({ providerId, state: 'queued', word: 'processing' })
    expect(await ended(providerId)).toMatchObject({
      providerId,
      state: 'delivered',
      word: 'success',
      pagesConfirmed: 1,
    })
    expect(emulator.faxes[0]?.from).toBe('+15550100001')
    await line.send({ ...fax('+15555550123'), from: '+15550100002' }, signal())
    expect(emulator.faxes[1]?.from).toBe('+15550100002')
    expect(Buffer.from(emulator.faxes[0]?.pdf ?? []).equals(pdf)).toBe(true)
    await vi.waitFor(() => expect(gateway.requests).toHaveLength(1))
    expect(gateway.requests[0]?.headers.authorization).toMatch(/^Basic /)
  })

  it.each([
    ['+15555550100', 'busy'],
    ['+15555550101', 'line_error'],
    ['+15555550103', 'partial'],
  ])('to %s ends as %s', async (to, kind) => {
    const { line, fax, ended } = await standIn()
    const { providerId } = await line.send(fax(to), signal())
    expect(await ended(providerId)).toMatchObject({ state: 'failed', kind })
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

  it('is refused in the words of Documo, and without the key', async () => {
    const { line, fax } = await standIn()
    const words = 'attachments must hold a document'
    const empty = { ...fax('+15555550123'), pdf: () => Promise.resolve(Buffer.from('no')) }
    await expect(line.send(empty, signal())).rejects.toMatchObject({ kind: 'rejected' })
    await expect(line.send(empty, signal())).rejects.toThrow(words)
    const stranger = (await standIn({ DOCUMO_API_KEY: 'another' })).line
    await expect(stranger.send(fax('+15555550123'), signal())).rejects.toMatchObject({ kind: 'bad_credentials' })
  })

  it('goes to the sandbox, and to nowhere else, while that is in use', async () => {
    const asked: string[] = []
    const host = madeHost({
      fetch: (input) => {
        asked.push(input instanceof Request ? input.url : String(input))
        return Promise.resolve(Response.json({ messageId: 'm', status: 'processing' }))
      },
    })
    await openDocumo(host, { ...settingsFrom(documo.settings, {}), documo_use_sandbox: true }).send(sampleFax, signal())
    expect(asked).toEqual(['https://api.sandbox.documo.com/v1/faxes'])
  })

  it.each([{ status: 200, body: {} }, { status: 200, body: { success: [], errors: [] } }, { status: 204 }])(
    'answered with %j may have been taken',
    async (reply) => {
      const { line } = await answering(reply)
      await expect(line.send(sampleFax, signal())).rejects.toMatchObject({ kind: 'uncertain' })
    },
  )

  it('may be taken in the shape of a list', async () => {
    const { line } = await answering({ status: 200, body: { success: [{ messageId: 'm' }], errors: [] } })
    expect(await line.send(sampleFax, signal())).toMatchObject({ providerId: 'm', update: { state: 'in_progress' } })
  })

  it('is unknown when Documo does not know it, and is told whose state an answer reports', async () => {
    const body = { messageId: 'other', faxNumber: '+15555550124', status: 'success' }
    const { line } = await answering({ status: 404 }, { status: 200, body }, { status: 200, body: {} })
    expect(await line.status?.('m', signal())).toBeUndefined()
    expect(await line.status?.('m', signal())).toMatchObject({ providerId: 'other', to: '+15555550124' })
    await expect(line.status?.('m', signal())).rejects.toMatchObject({ name: 'ProviderProblem' })
  })
})

describe('a fax of which no answer came', () => {
  it('is found by the reference in its subject, among others to the same number', async () => {
    const { emulator, line, fax } = await standIn()
    await line.send(fax('+15555550106', 'a1'), signal()).catch(() => undefined)
    await line.send(fax('+15555550106', 'a2'), signal()).catch(() => undefined)
    expect(await line.find?.('a1', signal(), attempt('+15555550106'))).toMatchObject({
      taken: true,
      providerId: emulator.faxes[0]?.id,
    })
    await expect(line.find?.('a3', signal(), attempt('+15555550106'))).rejects.toMatchObject({ kind: 'uncertain' })
  })

  it('is never taken for the only fax to its number that has another subject', async () => {
    const { line, fax } = await standIn()
    await line.send(fax('+15555550123', 'another'), signal())
    await expect(line.find?.('mine', signal(), attempt('+15555550123'))).rejects.toMatchObject({ kind: 'uncertain' })
  })

  it('is not recognized by number and time where Documo does not return subjects', async () => {
    const row = { messageId: 'm', direction: 'outbound', faxNumber: '15551234567', createdAt: new Date().toISOString() }
    const { line } = await answering({ status: 200, body: [row] }, { status: 200, body: { data: [row] } })
    const doubt = { kind: 'uncertain' }
    await expect(line.find?.('a1', signal(), attempt('+15551234567'))).rejects.toMatchObject(doubt)
    await expect(line.find?.('a1', signal(), attempt('+15551234567'))).rejects.toMatchObject(doubt)
  })

  it('is found on whatever page of the history it stands, and by many at once with few calls', async () => {
    const { emulator, line, fax } = await standIn()
    const ids = Array.from({ length: 250 }, (_, n) => n.toString(16).padStart(32, '0'))
    for (const id of ids) await line.send(fax('+15555550106', id), signal()).catch(() => undefined)
    const find = async (id: string) => line.find?.(id, signal(), attempt('+15555550106'))
    const found = await Promise.all(ids.map(find))
    expect(found.map((each) => each?.taken && each.providerId)).toEqual(emulator.faxes.map(({ id }) => id))
    expect(await find(ids[0] ?? '')).toMatchObject({ taken: true })
  })
})

describe('what a lost callback would have reported', () => {
  it('stands in the history, and the document can be downloaded', async () => {
    const { emulator, line, fax, ended } = await standIn()
    const { providerId } = await line.send(fax('+15555550107'), signal())
    await ended(providerId)
    const id = await emulator.receive({ from: '15550100009', to: '15550100001', pages: 1, pdf, reported: 'never' })
    const since = new Date(Date.now() - 60_000)
    expect(await line.listSent?.(since, signal())).toMatchObject([{ providerId, state: 'delivered' }])
    expect(await line.listReceived?.(since, signal())).toMatchObject([{ providerId: id, from: '+15550100009' }])
    expect(await line.listReceived?.(new Date(Date.now() + 60_000), signal())).toEqual([])
    expect(Buffer.from((await line.fetchDocument?.(id, signal())) ?? []).equals(pdf)).toBe(true)
  })
})
