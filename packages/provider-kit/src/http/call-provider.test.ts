import { describe, expect, it } from 'vitest'
import { callProvider, type ProviderCall, refusalOf } from './call-provider.ts'
import { neverConnected } from './reason.ts'
import type { Host } from '../provider.ts'
import { serveHttp } from '../testing/try-checks.ts'

const host: Pick<Host, 'fetch' | 'now'> = { fetch, now: () => new Date('2026-01-02T10:00:00Z') }
const call = { name: 'Acme', url: 'https://api.acme.test/faxes', authorization: 'Basic a2V5' }
const asking = (change: Partial<ProviderCall> = {}, given = host, signal = AbortSignal.timeout(5000)) =>
  callProvider({ ...call, ...change }, given, signal)
const failing = (error: Error) => asking({}, { ...host, fetch: () => Promise.reject(error) })
const coded = (facts: object) => new TypeError('fetch failed', { cause: Object.assign(new Error('low down'), facts) })

describe('calling a provider', () => {
  it('says what is to be said, and answers status, JSON and pause', async () => {
    const url = await serveHttp((request, response, body) => {
      response.writeHead(429, { 'retry-after': '7' })
      response.end(JSON.stringify({ method: request.method, body, accept: request.headers.accept }))
    })
    expect(await asking({ url, body: new URLSearchParams({ To: '+1555' }) })).toEqual({
      status: 429,
      body: { method: 'POST', body: 'To=%2B1555', accept: 'application/json' },
      retryAfterSeconds: 7,
    })
    expect(await asking({ url, method: 'PATCH', json: { a: 1 } })).toMatchObject({
      body: { method: 'PATCH', body: '{"a":1}' },
    })
  })

  it.each([
    ['Fri, 02 Jan 2026 10:02:00 GMT', 120],
    ['Fri, 02 Jan 2026 09:00:00 GMT', undefined],
    ['900000', 3600],
    ['soon', undefined],
  ])('reads the pause "%s"', async (header, seconds) => {
    const answer = new Response('no JSON', { status: 503, headers: { 'retry-after': header } })
    const answered = await asking({}, { ...host, fetch: () => Promise.resolve(answer) })
    expect(answered).toEqual({ status: 503, body: undefined, retryAfterSeconds: seconds })
  })

  it.each([
    [{ code: 'ECONNREFUSED' }, 'nothing listens there'],
    [{ code: 'ENOTFOUND' }, 'the host name does not exist'],
    [{ code: 'EHOSTUNREACH', syscall: 'connect' }, 'there is no route to that address'],
    [{ code: 'CERT_HAS_EXPIRED' }, 'its certificate has expired'],
  ])('knows that nothing left after %j', async (facts, reason) => {
    await expect(failing(coded(facts))).rejects.toMatchObject({
      kind: 'unreachable',
      message: `Acme cannot be reached at api.acme.test: ${reason}.`,
    })
  })

  it('knows that nothing left of a connection that ended before it was there', async () => {
    await expect(failing(coded({ code: 'ECONNRESET', ...neverConnected }))).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'Acme cannot be reached at api.acme.test: the connection was cut.',
    })
  })

  it.each([{ code: 'ECONNRESET' }, { code: 'EHOSTUNREACH', syscall: 'read' }, { code: 'UND_ERR_SOCKET' }, {}])(
    'does not know what left after %j',
    async (facts) => {
      await expect(failing(coded(facts))).rejects.toMatchObject({ kind: 'uncertain' })
    },
  )

  it('calls silence by its name, whoever lost patience', async () => {
    const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    const silence = { kind: 'uncertain', message: expect.stringContaining('no answer came in time') as unknown }
    await expect(failing(late)).rejects.toMatchObject(silence)
    await expect(failing(new TypeError('fetch failed', { cause: late }))).rejects.toMatchObject(silence)
  })

  it('does not know what left when one of several addresses may have been reached', async () => {
    const [refused, reset] = [coded({ code: 'ECONNREFUSED' }), coded({ code: 'ECONNRESET' })]
    await expect(failing(new AggregateError([refused, refused]))).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(failing(new AggregateError([refused, reset]))).rejects.toMatchObject({ kind: 'uncertain' })
  })

  it('does not know what became of a request whose answer is late or breaks off', async () => {
    const url = await serveHttp((request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"id":')
      if (request.url === '/cut') setTimeout(() => response.destroy(), 20)
    })
    await expect(asking({ url: `${url}/cut` })).rejects.toMatchObject({
      kind: 'uncertain',
      message: 'The response from Acme was cut off: the connection was cut.',
    })
    await expect(asking({ url }, host, AbortSignal.timeout(50))).rejects.toMatchObject({
      kind: 'uncertain',
      message: expect.stringContaining('no answer came in time') as unknown,
    })
  })

  it('does not say credentials that no header can hold', async () => {
    await expect(asking({ authorization: 'Basic a\r\nX: 1' })).rejects.toMatchObject({ kind: 'bad_credentials' })
  })
})

describe('what is no success', () => {
  const kindOf = (status: number) => refusalOf('Acme', { status, body: {}, retryAfterSeconds: 30 }, 'No  such\nnumber')

  it.each([
    [400, 'rejected'],
    [401, 'bad_credentials'],
    [403, 'bad_credentials'],
    [404, 'rejected'],
    [422, 'rejected'],
    [302, 'uncertain'],
    [408, 'uncertain'],
    [500, 'uncertain'],
    [502, 'uncertain'],
    [504, 'uncertain'],
  ])('with the status %i is %s', (status, kind) => {
    expect(kindOf(status)).toMatchObject({ kind, retryAfterSeconds: undefined })
    expect(kindOf(status).message).toMatch(/Acme says: No such number\.$/)
  })

  it('keeps the pause that was asked for', () => {
    expect(kindOf(429)).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 30 })
    expect(kindOf(503)).toMatchObject({ kind: 'unreachable', retryAfterSeconds: 30 })
  })

  it('proves nothing with 503 where the API does not say itself when to come again', () => {
    const answer = { status: 503, body: {}, retryAfterSeconds: 30 }
    expect(refusalOf('Acme', answer)).toMatchObject({ kind: 'uncertain' })
    expect(refusalOf('Acme', { ...answer, retryAfterSeconds: undefined }, 'No.')).toMatchObject({ kind: 'uncertain' })
  })
})
