import { madeHost, faxTo, handedOver, settingsFrom } from '@faxdeck/provider-kit/testing/made-host'
import type { EmulatorOptions } from '@faxdeck/provider-kit/emulator'
import type { Line, ProviderSettings } from '@faxdeck/provider-kit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { emulate } from './emulator.ts'
import { openPhaxio } from './send.ts'
import { phaxioSettings } from './settings.ts'

const never = new AbortController().signal
const quiet = { gatewayUrl: 'http://127.0.0.1:1' }
async function open(settings: ProviderSettings = {}, options: Partial<EmulatorOptions> = {}) {
  const emulator = await emulate({ ...quiet, ...options })
  onTestFinished(() => emulator.close())
  const pausesMs = [200, 20, 20, 20, 20]
  const line = openPhaxio(madeHost(), { ...settingsFrom(phaxioSettings, emulator.env), ...settings }, pausesMs)
  return { emulator, line: line as Required<Line> }
}

describe('the line to Phaxio', () => {
  it('uploads the document with our reference and where to report', async () => {
    const { emulator, line } = await open({ phaxio_caller_id: '+15550100001' })
    const callbackUrl = 'http://127.0.0.1:1/phaxio-callback?attempt=a'
    const fax = faxTo('+15555550123', { callbackUrl })
    const { providerId } = await line.send(fax, never)
    expect(providerId).toMatch(/^\d+$/)
    expect(emulator.faxes).toMatchObject([
      { id: providerId, to: fax.to, from: '+15550100001', pages: 2, labels: { attempt: fax.attemptId }, callbackUrl },
    ])
  })

  it('comes from the number of its sender rather than from that of the settings', async () => {
    const { emulator, line } = await open({ phaxio_caller_id: '+15550100001' })
    await line.send(faxTo('+15555550123', { from: '+15550100002' }), never)
    expect(emulator.faxes[0]?.from).toBe('+15550100002')
  })

  it('says what its header line is to say, where that is set', async () => {
    const { emulator, line } = await open()
    for (const change of [{}, { headerText: 'Praxis Müller' }]) await line.send(faxTo('+15555550123', change), never)
    const sent = emulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('faxes'))
    const reported = sent.map((request) => request.form().fields.find(([name]) => name === 'header_text')?.[1])
    expect(reported).toEqual([undefined, 'Praxis Müller'])
  })

  it('gives a link in place of the document, and an address of its own with the attempt', async () => {
    const own = { phaxio_document: 'link', phaxio_status_callback_url: 'https://hooks.example.test/p?x=1' }
    const { emulator, line } = await open(own)
    const fax = faxTo('+15555550123', { documentUrl: () => Promise.resolve('http://127.0.0.1:1/nothing.pdf') })
    const { providerId } = await line.send(fax, never)
    expect(emulator.faxes[0]?.callbackUrl).toBe(`https://hooks.example.test/p?x=1&attempt=${fax.attemptId}`)
    await vi.waitFor(async () =>
      expect(await line.status(providerId, never)).toMatchObject({ state: 'failed', kind: 'bad_document' }),
    )
  })

  it.each([
    ['0123', { state: 'delivered', pagesConfirmed: 2 }],
    ['0100', { state: 'failed', kind: 'busy' }],
    ['0101', { state: 'failed', kind: 'no_answer' }],
    ['0103', { state: 'failed', kind: 'partial' }],
  ])('follows a fax to %s to its end', async (digits, end) => {
    const { line } = await open()
    const { providerId } = await line.send(faxTo(`+1555555${digits}`), never)
    await vi.waitFor(async () => expect(await line.status(providerId, never)).toMatchObject({ providerId, ...end }))
  })

  it('takes a word it does not know for progress', async () => {
    const { line } = await open({}, { stepMs: 300 })
    const { providerId } = await line.send(faxTo('+15555550111'), never)
    await vi.waitFor(
      async () =>
        expect(await line.status(providerId, never)).toMatchObject({ state: 'in_progress', word: 'lookingaround' }),
      { timeout: 20_000, interval: 20 },
    )
  })

  it.each([
    [
      '+15555550102',
      { kind: 'bad_number', message: expect.stringContaining('Phone number is not in service.') as unknown },
    ],
    ['+0', { kind: 'bad_number' }],
    ['+15555550108', { kind: 'rate_limited', retryAfterSeconds: 1 }],
    ['+15555550109', { kind: 'uncertain' }],
  ])('reports a refusal of %s for what it is', async (to, problem) => {
    const { emulator, line } = await open()
    await expect(line.send(faxTo(to), never)).rejects.toMatchObject(problem)
    expect(emulator.faxes).toEqual([])
  })

  it.each([
    ['200 with success false', { status: 200, body: { success: false, message: 'Insufficient funds' } }, 'rejected'],
    ['200 without an id', { status: 200, body: { success: true, message: 'ok', data: {} } }, 'uncertain'],
    ['200 that is a page', { status: 200, bytes: Buffer.from('<html>') }, 'uncertain'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'uncertain'],
    ['wrong credentials', { status: 401, body: { success: false, message: 'Invalid' } }, 'bad_credentials'],
  ] as const)('is not fooled by %s', async (_what, reply, kind) => {
    const { emulator } = await open()
    const host = madeHost({ fetch: (input, init) => fetch(input, { ...init, redirect: 'manual' }) })
    const line = openPhaxio(host, settingsFrom(phaxioSettings, emulator.env))
    emulator.answerNext(reply)
    await expect(line.send(faxTo('+15555550123'), never)).rejects.toMatchObject({ kind })
  })

  it('finds what was taken although the answer was lost, and sends nothing twice', async () => {
    const { emulator, line } = await open()
    const fax = faxTo('+15555550106')
    await expect(line.send(fax, never)).rejects.toMatchObject({ kind: 'uncertain' })
    const found = await line.find(fax.attemptId, never, handedOver())
    expect(found).toMatchObject({ taken: true, providerId: emulator.faxes[0]?.id })
  })

  it('concludes nothing from a list that holds other faxes, or from no list', async () => {
    const { emulator, line } = await open()
    emulator.answerNext({ status: 200, body: { success: true, data: [{ id: 7, tags: { attempt: 'other' } }] } })
    await expect(line.find('mine', never, handedOver())).rejects.toMatchObject({ kind: 'uncertain' })
    for (const data of [null, {}, [{ id: 'seven' }]]) {
      emulator.answerNext({ status: 200, body: { success: true, data } })
      await expect(line.find('mine', never, handedOver())).rejects.toMatchObject({ kind: 'uncertain' })
    }
    emulator.answerNext({ status: 500, body: {} })
    await expect(line.find('mine', never, handedOver())).rejects.toMatchObject({ name: 'ProviderProblem' })
  })

  it('cancels what has not begun, and promises nothing else', async () => {
    const { line } = await open({}, { stepMs: 300 })
    const { providerId } = await line.send(faxTo('+15555550123'), never)
    expect(await line.cancel(providerId, never)).toBe(true)
    expect(await line.status(providerId, never)).toMatchObject({ state: 'failed', kind: 'cancelled' })
    const { line: quick } = await open()
    const sent = await quick.send(faxTo('+15555550123'), never)
    await vi.waitFor(async () =>
      expect(await quick.status(sent.providerId, never)).toMatchObject({ state: 'delivered' }),
    )
    expect(await quick.cancel(sent.providerId, never)).toBe(false)
  })

  it('does not promise a cancellation that it never sees, and says so after a few looks', async () => {
    const { emulator, line } = await open()
    const { providerId } = await line.send(faxTo('+15555550123'), never)
    const underWay = { success: true, data: { id: Number(providerId), status: 'inprogress' } }
    // The request to cancel, and every look for its success.
    for (let n = 0; n < 6; n++) emulator.answerNext({ status: 200, body: underWay }, /faxes\//)
    expect(await line.cancel(providerId, never)).toBe(false)
  })

  it('does not call a fax canceled that failed for another reason', async () => {
    const { emulator, line } = await open()
    const busy = { id: 7, status: 'failure', error_type: 'lineError', error_message: 'Far end was busy' }
    for (let n = 0; n < 2; n++) emulator.answerNext({ status: 200, body: { success: true, data: busy } }, /faxes\//)
    expect(await line.cancel('7', never)).toBe(false)
  })

  it('concludes nothing from a witness that is listed without its mark', async () => {
    const { emulator, line } = await open()
    const fax = { id: 7, status: 'success', created_at: '2026-03-01T14:00:00.000Z' }
    const overBy = new Date('2026-03-01T12:00:00.000Z')
    const facts = {
      at: overBy,
      overBy,
      clock: () => new Date('2026-03-01T14:00:00.000Z'),
      witness: () => Promise.resolve({ attemptId: 'witness', providerId: '7', to: '+15555550123' }),
    }
    const asked = (tags: object) => {
      emulator.answerNext({ status: 200, body: { success: true, data: [{ ...fax, ...tags }] } })
      emulator.answerNext({ status: 200, body: { success: true, data: [] } })
      return line.find('mine', never, handedOver('+15555550123', facts))
    }
    expect(await asked({ tags: { attempt: 'witness' } })).toEqual({ taken: false })
    await expect(asked({})).rejects.toMatchObject({ kind: 'uncertain' })
  })

  it('concludes nothing from a list that shows other faxes than the one it was asked for', async () => {
    const { emulator, line } = await open()
    const at = '2026-03-01T14:00:00.000Z'
    const facts = {
      at: new Date('2026-03-01T12:00:00.000Z'),
      overBy: new Date('2026-03-01T12:00:00.000Z'),
      clock: () => new Date(at),
      witness: () => Promise.resolve({ attemptId: 'witness', providerId: '7', to: '+15555550123' }),
    }
    const witness = { id: 7, status: 'success', created_at: at, tags: { attempt: 'witness' } }
    for (let n = 0; n < 2; n++) emulator.answerNext({ status: 200, body: { success: true, data: [witness] } })
    const asked = line.find('mine', never, handedOver('+15555550123', facts))
    await expect(asked).rejects.toMatchObject({ kind: 'uncertain' })
  })

  it('knows nothing of a fax that is not there, and leaves its place in no address', async () => {
    const { emulator, line } = await open()
    expect(await line.status('12', never)).toBeUndefined()
    expect(await line.status('../account/status', never)).toBeUndefined()
    expect(emulator.requests.at(-1)?.path).toBe('/v2.1/faxes/..%2Faccount%2Fstatus')
  })

  it('lists what was received and sent, and gets the documents', async () => {
    const { emulator, line } = await open()
    const id = await emulator.receive({
      from: '+15551230000',
      to: '+15551230001',
      pages: 1,
      pdf: Buffer.from('%PDF-x'),
      reported: 'never',
    })
    const fax = faxTo('+15555550123')
    await line.send(fax, never)
    const since = new Date(Date.now() - 60_000)
    expect(await line.listReceived(since, never)).toMatchObject([
      { providerId: id, from: '+15551230000', document: { fetch: id } },
    ])
    expect(await line.listSent(since, never)).toMatchObject([{ attemptId: fax.attemptId }])
    expect(await line.listReceived(new Date(Date.now() + 60_000), never)).toEqual([])
    expect(Buffer.from(await line.fetchDocument(id, never)).toString()).toBe('%PDF-x')
    await expect(line.fetchDocument('1', never)).rejects.toMatchObject({ kind: 'rejected' })
  })

  it('goes through a list of several pages', async () => {
    const { emulator, line } = await open()
    const given = {
      from: '+15551230000',
      to: '+15551230001',
      pages: 1,
      pdf: Buffer.from('%PDF-x'),
      reported: 'never',
    } as const
    for (let n = 0; n < 150; n += 1) await emulator.receive(given)
    const listed = await line.listReceived(new Date(0), never)
    expect(new Set(listed.map(({ providerId }) => providerId)).size).toBe(150)
  })
})
