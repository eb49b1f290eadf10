import { type EmulatedRequest, type EmulatedServer, serve } from '@faxdeck/provider-kit/emulator'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { through } from '../../testing/through-emulator.ts'

const patience = { timeout: 20_000, interval: 20 }
const [ours, silent, other] = ['+15555550123', '+15555550107', '+15555550124']
const sending = /\/faxes$/i
const pdf = Buffer.from('%PDF-1.4 /Type/Page\n%%EOF\n')
const rounds = process.env.FAXDECK_LONG === undefined ? 1 : 25

/** Names of the fields by which a program tells its faxes from those of others. */
const marks = ['tag[attempt]', 'labels[attempt]', 'subject', 'callback_url', 'callbackUrl', 'StatusCallback']
const numbers = ['to', 'To', 'faxNumber']
const addresses = ['callback_url', 'callbackUrl', 'StatusCallback', 'subject']

type Server = Pick<EmulatedServer, 'origin' | 'requests' | 'answerNext'>

/** A gateway, the provider it sends through, and another program that faxes from the same account. */
async function stage(id: string) {
  const { emulator, client, send, job } = await through(id, { SINCH_AUTH_METHOD: 'basic' })
  const server = emulator as typeof emulator & Server
  const documents = await serve(() => ({ status: 200, bytes: pdf, headers: { 'content-type': 'application/pdf' } }))
  onTestFinished(() => documents.close())
  const submissions = () => server.requests.filter(({ method, path }) => method === 'POST' && sending.test(path))
  const ask = async (request: EmulatedRequest, path: string, body?: FormData | URLSearchParams) => {
    const { authorization = '' } = request.headers
    const init = body ? { method: 'POST', body } : {}
    return (await fetch(server.origin + path, { ...init, headers: { authorization } })).json() as Promise<object>
  }
  /** Another program submits what we did, but for some fields. @returns the provider's id of its fax */
  const submitOther = async (request: EmulatedRequest, to: string, kept: readonly string[] = []) => {
    const { fields, files } = request.form()
    const isMultipart = request.headers['content-type']?.startsWith('multipart/') === true
    const body = isMultipart ? new FormData() : new URLSearchParams()
    for (const [name, value] of fields) {
      if (marks.includes(name) && !kept.includes(name)) continue
      body.append(name, numbers.includes(name) ? to : name === 'MediaUrl' ? documents.origin : value)
    }
    if (body instanceof FormData) for (const { name } of files) body.append(name, new Blob([pdf]), 'other.pdf')
    await ask(request, request.path, body)
    const fax = emulator.faxes.at(-1)
    await vi.waitFor(() => expect(fax?.state).toBe('ended'), patience)
    return fax?.id ?? ''
  }
  const statePath = (faxId: string) =>
    id === 'documo' ? `/v1/fax/${faxId}/info` : `${submissions()[0]?.path}/${faxId}`
  const stateOf = (faxId: string) => ask(submissions()[0] as EmulatedRequest, statePath(faxId))
  const doubted = async (faxId: string) =>
    (await job(faxId)).timeline.filter(({ sentence }) => sentence.includes('does not fit this fax'))
  const until = (faxId: string, facts: object) =>
    vi.waitFor(async () => expect(await job(faxId)).toMatchObject(facts), patience)
  const arrivedAt = (to: string, strangers: readonly string[] = []) =>
    emulator.faxes.filter((fax) => fax.to === to && !strangers.includes(fax.id))
  return { server, client, send, job, submissions, submitOther, statePath, stateOf, doubted, until, arrivedAt }
}

describe.each(['phaxio', 'sinch', 'signalwire', 'documo'])('over %s, an answer about another fax', (id) => {
  it(
    'is never adopted: somebody else faxes the same number in the minute in which ours was lost',
    { timeout: rounds * 60_000 },
    async () => {
      const adopted: unknown[] = []
      for (let round = 0; round < rounds; round += 1) {
        // A provider that is cut off again and again is paused: each round has a gateway of its own.
        const { server, client, send, job, submissions, submitOther, until, arrivedAt } = await stage(id)
        const to = `+1555555${String(2000 + round)}`
        server.answerNext('cut', sending)
        const faxId = await send(to)
        await until(faxId, { error_kind: 'uncertain' })
        const stranger = await submitOther(submissions().at(-1) as EmulatedRequest, to)
        for (let look = 0; look < 3; look += 1) await client.refreshJob({ params: { id: faxId } })
        // SignalWire gets the document by a link alone, which nobody used: ours is sent again at once.
        if (id === 'signalwire') await until(faxId, { status: 'SUCCESS' })
        const { status, provider_sid: sid, attempts } = await job(faxId)
        if ([sid, ...attempts.map((each) => each.provider_id)].includes(stranger)) adopted.push(faxId)
        const arrived = arrivedAt(to, [stranger])
        expect([status, arrived.length]).toEqual(id === 'signalwire' ? ['SUCCESS', 1] : ['in_progress', 0])
      }
      expect(adopted).toEqual([])
    },
  )

  it('to a submission leaves it unknown whether that was taken', async () => {
    const { server, send, job, stateOf, doubted, until, arrivedAt } = await stage(id)
    const first = await send(ours)
    await until(first, { status: 'SUCCESS' })
    const earlier = (await job(first)).provider_sid ?? ''
    const said = await stateOf(earlier)
    const body = id === 'phaxio' ? { success: true, message: 'Fax queued', data: { id: Number(earlier) } } : said
    server.answerNext({ status: 200, body }, sending)
    const second = await send(other)
    await vi.waitFor(async () => expect(await doubted(second)).toHaveLength(1), patience)
    const { status, attempts } = await job(second)
    expect(attempts.map((each) => each.provider_id)).not.toContain(earlier)
    expect(arrivedAt(other)).toHaveLength(status === 'SUCCESS' ? 1 : 0)
  })

  it('to a poll overwrites nothing, and the next true answer settles the fax', async () => {
    const { server, client, send, job, statePath, stateOf, doubted, until } = await stage(id)
    const first = await send(ours)
    await until(first, { status: 'SUCCESS' })
    const body = await stateOf((await job(first)).provider_sid ?? '')
    const faxId = await send(silent)
    await vi.waitFor(async () => expect((await job(faxId)).provider_sid).not.toBeNull(), patience)
    const sid = (await job(faxId)).provider_sid ?? ''
    server.answerNext({ status: 200, body }, new RegExp(`^${statePath(sid)}$`))
    await client.refreshJob({ params: { id: faxId } })
    expect(await job(faxId)).toMatchObject({ error_kind: 'uncertain', needs_attention: true, provider_sid: sid })
    expect(await doubted(faxId)).toHaveLength(1)
    await client.refreshJob({ params: { id: faxId } })
    await until(faxId, { status: 'SUCCESS', provider_sid: sid, error: null })
  })

  it('in a callback that carries our reference overwrites nothing', async () => {
    const { client, send, job, submissions, submitOther, doubted, until } = await stage(id)
    const faxId = await send(silent)
    await vi.waitFor(async () => expect((await job(faxId)).provider_sid).not.toBeNull(), patience)
    const sid = (await job(faxId)).provider_sid ?? ''
    const stranger = await submitOther(submissions()[0] as EmulatedRequest, other, addresses)
    await vi.waitFor(async () => expect((await doubted(faxId)).length).toBeGreaterThan(0), patience)
    const { attempts, provider_sid: kept } = await job(faxId)
    expect([kept, ...attempts.map((each) => each.provider_id)]).toEqual([sid, sid])
    expect(sid).not.toBe(stranger)
    await client.refreshJob({ params: { id: faxId } })
    await until(faxId, { status: 'SUCCESS', provider_sid: sid })
  })
})
