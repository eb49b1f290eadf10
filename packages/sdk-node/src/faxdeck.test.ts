import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { AccessError, ConnectionError, Faxdeck, GatewayError, RefusedError, StillUnderWayError } from './index.ts'
import { pauseMs } from './request.ts'

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}
type Answer = (seen: Seen, count: number, response: ServerResponse) => unknown

/** A server on the loopback interface that answers what the test says. */
async function serve(answer: Answer): Promise<{ baseUrl: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body })
      const said = answer(seen.at(-1) as Seen, seen.length, response)
      if (said !== undefined) response.end(JSON.stringify(said))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { baseUrl: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, seen }
}

const fax = (status = 'queued', id = 'f1') => ({
  id,
  to: '+15555550123',
  status,
  needs_attention: false,
  updated_at: status,
})
const failing =
  (status: number, headers = {}) =>
  (_seen: Seen, count: number, response: ServerResponse) => {
    if (count > 1) return fax()
    response.writeHead(status, { 'retry-after': '0', ...headers })
    return { detail: 'Later.', code: 'unavailable', request_id: 'r-1' }
  }

describe('sending', () => {
  it('carries number, document, key and an idempotency key of its own', async () => {
    const { baseUrl, seen } = await serve(() => fax())
    const faxdeck = new Faxdeck({ baseUrl, apiKey: 'k' })
    expect(await faxdeck.send({ to: '+15555550123', file: Buffer.from('Hello'), fileName: 'a.txt' })).toMatchObject({
      id: 'f1',
    })
    await faxdeck.send({ to: '+15555550123', file: Buffer.from('Hello') })
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/fax', headers: { 'x-api-key': 'k' } })
    expect(seen[0]?.body).toContain('name="to"\r\n\r\n+15555550123')
    expect(seen[0]?.body).toContain('filename="a.txt"')
    expect(seen[0]?.headers['idempotency-key']).not.toBe(seen[1]?.headers['idempotency-key'])
  })

  it('carries the cover page and the tones that were asked for, also in a quote', async () => {
    const { baseUrl, seen } = await serve(() => fax())
    const faxdeck = new Faxdeck({ baseUrl, apiKey: 'k' })
    const cover = { template: 'formal', to: 'Dr. Doe', from: 'Records', note: 'Please call.\nThank you.' } as const
    await faxdeck.send({ to: '+15555550123', file: Buffer.from('Hello'), cover, tones: 'text' })
    await faxdeck.quote(Buffer.from('Hello'), { to: '+15555550123', cover })
    await faxdeck.send({ to: '+15555550123', file: Buffer.from('Hello') })
    for (const body of [seen[0]?.body, seen[1]?.body]) {
      expect(body).toContain('name="to"\r\n\r\n+15555550123')
      expect(body).toContain('name="cover"\r\n\r\nformal')
      expect(body).toContain('name="cover_to"\r\n\r\nDr. Doe')
      expect(body).toContain('name="cover_from"\r\n\r\nRecords')
      expect(body).toMatch(/name="cover_note"\r\n\r\nPlease call\.\r?\nThank you\./)
      expect(body).not.toContain('cover_subject')
    }
    expect(seen[0]?.body).toContain('name="tones"\r\n\r\ntext')
    expect(seen[2]?.body).not.toMatch(/cover|tones/)
  })

  it('makes separator sheets, and splits a scan at them in one call', async () => {
    const { baseUrl, seen } = await serve(({ url }, _count, response) => {
      if (url !== '/fax/separators') return url === '/fax/split' ? { faxes: [fax()] } : { pages: 2, parts: [] }
      response.end('%PDF-1.4')
      return undefined
    })
    const faxdeck = new Faxdeck({ baseUrl, apiKey: 'k' })
    const folder = await mkdtemp(join(tmpdir(), 'faxdeck-sdk-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const path = join(folder, 'sheet.pdf')
    const bytes = await faxdeck.separator('+15555550123', { reference: 'Ann', path })
    expect(Buffer.from(bytes).toString()).toBe('%PDF-1.4')
    expect(await readFile(path, 'utf8')).toBe('%PDF-1.4')
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ to: '+15555550123', reference: 'Ann' })
    const scan = Buffer.from('scan')
    expect(await faxdeck.quoteSplit(scan, { tones: 'text' })).toEqual({ pages: 2, parts: [] })
    expect(await faxdeck.split({ file: scan, unreadable: 'send', idempotencyKey: 'pile' })).toMatchObject([
      { id: 'f1' },
    ])
    expect(seen[1]?.body).toContain('name="tones"\r\n\r\ntext')
    expect(seen[2]?.body).toContain('name="unreadable"\r\n\r\nsend')
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined, 'pile'])
  })

  it('says what becomes of pages that lose writing, also when it is sent again', async () => {
    const { baseUrl, seen } = await serve(() => fax())
    const faxdeck = new Faxdeck({ baseUrl, apiKey: 'k' })
    await faxdeck.send({ to: '+15555550123', file: Buffer.from('Hello'), unreadable: 'send' })
    await faxdeck.resend('f1', { unreadable: 'send' })
    await faxdeck.resend('f1')
    await faxdeck.resend('f1', { force: true })
    expect(seen[0]?.body).toContain('name="unreadable"\r\n\r\nsend')
    expect(seen.slice(1).map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { unreadable: 'send' },
      {},
      { force: true },
    ])
  })

  it('says that an unlikely number is meant wherever one is given', async () => {
    const { baseUrl, seen } = await serve(() => ({ id: 'f1' }))
    const faxdeck = new Faxdeck({ baseUrl })
    const file = Buffer.from('Hello')
    const meant = { allowUnlikelyNumber: true }
    await faxdeck.send({ to: '+11930123456', file, ...meant })
    await faxdeck.quote(file, { to: '+11930123456', ...meant })
    await faxdeck.broadcasts.send({ recipients: ['+11930123456'], file, ...meant })
    for (const { body } of seen) expect(body).toContain('name="allow_unlikely_number"\r\n\r\ntrue')
    await faxdeck.resend('f1', meant)
    await faxdeck.broadcasts.resend('b1', meant)
    await faxdeck.separator('+11930123456', meant)
    for (const { body } of seen.slice(3)) expect(JSON.parse(body)).toMatchObject({ allow_unlikely_number: true })
    await faxdeck.send({ to: '+15555550123', file })
    expect(seen).toHaveLength(7)
    expect(seen[6]?.body).not.toContain('allow_unlikely_number')
  })

  it('takes a path, a stream and several recipients', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'faxdeck-sdk-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const path = join(directory, 'letter.txt')
    await writeFile(path, 'From a path')
    const { baseUrl, seen } = await serve(() => fax())
    const faxdeck = new Faxdeck(baseUrl, 'k')
    await faxdeck.sendFax('+15555550123', path)
    expect(seen[0]?.body).toMatch(/filename="letter.txt"[^]*From a path/)
    async function* stream() {
      yield Buffer.from('In two ')
      yield Buffer.from('parts')
    }
    const faxes = await faxdeck.send({ to: ['+15555550123', '+15555550124'], file: stream(), idempotencyKey: 'mine' })
    expect(faxes).toHaveLength(2)
    expect(seen.slice(1).map(({ headers }) => headers['idempotency-key'])).toEqual([
      'mine:+15555550123',
      'mine:+15555550124',
    ])
    expect(seen[2]?.body).toContain('In two parts')
    await expect(faxdeck.sendFax('+15555550123', join(directory, 'no.pdf'))).rejects.toThrow(
      'The document cannot be read',
    )
  })

  it.each([429, 502, 503, 504])('repeats after %i under the same idempotency key', async (status) => {
    const { baseUrl, seen } = await serve(failing(status))
    await new Faxdeck({ baseUrl }).send({ to: '+15555550123', file: Buffer.from('x') })
    expect(seen).toHaveLength(2)
    expect(seen[0]?.headers['idempotency-key']).toBe(seen[1]?.headers['idempotency-key'])
  })

  it('repeats when the connection breaks before the answer', async () => {
    const { baseUrl, seen } = await serve((_seen, count, response) => (count > 1 ? fax() : void response.destroy()))
    vi.spyOn(Math, 'random').mockReturnValue(0)
    expect(await new Faxdeck({ baseUrl }).send({ to: '1', file: Buffer.from('x') })).toMatchObject({ id: 'f1' })
    expect(seen[0]?.headers['idempotency-key']).toBe(seen[1]?.headers['idempotency-key'])
  })
})

describe('what goes wrong', () => {
  it.each([
    [401, AccessError],
    [403, AccessError],
    [415, RefusedError],
    [422, RefusedError],
  ])('%i is an error of its kind, with the sentence of the gateway', async (status, Kind) => {
    const { baseUrl, seen } = await serve((_seen, _count, response) => {
      response.writeHead(status)
      return { detail: 'The PDF is encrypted.', code: 'bad_document', request_id: 'r-9' }
    })
    const sending = new Faxdeck({ baseUrl }).send({ to: '1', file: Buffer.from('x') })
    await expect(sending).rejects.toThrow(Kind)
    await expect(sending).rejects.toMatchObject({
      message: 'The PDF is encrypted.',
      status,
      code: 'bad_document',
      requestId: 'r-9',
    })
    expect(seen).toHaveLength(1)
  })

  it('does not repeat what may have been done', async () => {
    const { baseUrl, seen } = await serve(failing(503))
    await expect(new Faxdeck({ baseUrl }).cancel('f1')).rejects.toMatchObject({ status: 503 })
    expect(seen).toHaveLength(1)
  })

  it('says that nobody answers, or not in time', async () => {
    const nobody = new Faxdeck({ baseUrl: 'http://127.0.0.1:9', retries: 0 })
    await expect(nobody.checkHealth()).rejects.toThrow(ConnectionError)
    const { baseUrl } = await serve(() => undefined)
    const slow = new Faxdeck({ baseUrl, timeout: 0.05, retries: 0 })
    await expect(slow.checkHealth()).rejects.toThrow('did not answer within 0.05 s')
    expect(() => new Faxdeck({ baseUrl: 'gateway:8080' })).toThrow('is not a gateway URL')
  })

  it('survives an answer that is no JSON', async () => {
    const { baseUrl } = await serve((_seen, _count, response) => {
      response.writeHead(500).end('<h1>Oops</h1>')
    })
    await expect(new Faxdeck({ baseUrl }).status('f1')).rejects.toMatchObject({ status: 500, code: 'unknown' })
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i carries neither key nor document to another place', async (status) => {
    const elsewhere = await serve(() => fax())
    const target = elsewhere.baseUrl.replace('127.0.0.1', 'localhost')
    const { baseUrl, seen } = await serve((_seen, _count, response) => {
      response.writeHead(status, { location: `${target}/fax?token=secret` }).end()
    })
    const faxdeck = new Faxdeck({ baseUrl, apiKey: 'k' })
    const problem = {
      status,
      code: 'redirected',
      message: expect.stringContaining(`redirected the request to ${target}/fax.`),
    }
    await expect(faxdeck.status('f1')).rejects.toMatchObject(problem)
    await expect(faxdeck.send({ to: '1', file: Buffer.from('x') })).rejects.toMatchObject(problem)
    await expect(faxdeck.inbound.download('f1')).rejects.toMatchObject(problem)
    await expect(faxdeck.checkHealth()).rejects.toMatchObject(problem)
    await expect(faxdeck.list().next()).rejects.toMatchObject(problem)
    expect(elsewhere.seen).toEqual([])
    expect(seen).toHaveLength(5)
  })
})

describe('Retry-After', () => {
  it('is honored in full', () => {
    expect(pauseMs(0, new GatewayError(429, {}, 58))).toBe(58_000)
  })

  it('is left to the caller when it is longer than a gateway asks for, or than the caller waits', async () => {
    const { baseUrl, seen } = await serve(failing(429, { 'retry-after': '3600' }))
    await expect(new Faxdeck({ baseUrl }).status('f1')).rejects.toMatchObject({ retryAfterSeconds: 3600 })
    const other = await serve(failing(429, { 'retry-after': '58' }))
    const waiting = new Faxdeck({ baseUrl: other.baseUrl }).wait('f1', { timeout: 1 })
    await expect(waiting).rejects.toThrow(StillUnderWayError)
    expect([seen.length, other.seen.length]).toEqual([1, 1])
  })

  it('is a place in a queue when calls are too many: every call is made again, however often', async () => {
    const { baseUrl, seen } = await serve((_seen, count, response) => {
      if (count > 5) return fax('SUCCESS')
      response.writeHead(429, { 'retry-after': '0' })
      return { detail: 'More than 60 calls in a minute.', code: 'rate_limited' }
    })
    expect(await new Faxdeck({ baseUrl, retries: 0 }).cancel('f1')).toMatchObject({ status: 'SUCCESS' })
    expect(seen).toHaveLength(6)
  })
})

describe('waiting', () => {
  it('ends with the outcome, telling each change once', async () => {
    const { baseUrl } = await serve((_seen, count) => fax(['queued', 'SUCCESS'][count - 1]))
    const seen: string[] = []
    const outcome = await new Faxdeck({ baseUrl }).wait('f1', { onChange: ({ status }) => seen.push(status) })
    expect([outcome.status, ...seen]).toEqual(['SUCCESS', 'queued', 'SUCCESS'])
  })

  it('ends with an uncertain fax, which only a person can decide', async () => {
    const { baseUrl } = await serve(() => ({ ...fax('in_progress'), needs_attention: true }))
    expect(await new Faxdeck({ baseUrl }).wait('f1')).toMatchObject({ status: 'in_progress', needs_attention: true })
  })

  it('ends when the time is up', async () => {
    const { baseUrl } = await serve(() => fax('in_progress'))
    await expect(new Faxdeck({ baseUrl }).wait('f1', { timeout: 0.01 })).rejects.toThrow(StillUnderWayError)
  })
})

describe('a broadcast', () => {
  it('is one request with all recipients, and says how many were accepted and which were left out', async () => {
    const skipped_rows = [{ row: 3, text: 'x', reason: 'Not a fax number.' }]
    const { baseUrl, seen } = await serve(() => ({ id: 'b1', faxes: 2, duplicates: 0, skipped: 1, skipped_rows }))
    const { broadcasts } = new Faxdeck({ baseUrl })
    const recipients = ['+15555550123', { to: '+15555550188', name: 'Dr. Doe' }, 'x']
    const made = await broadcasts.send({
      file: Buffer.from('x'),
      recipients,
      skipInvalid: true,
      idempotencyKey: 'mine',
    })
    expect(made).toMatchObject({ faxes: 2, skipped_rows })
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/fax/broadcasts', headers: { 'idempotency-key': 'mine' } })
    expect(seen[0]?.body).toContain(`name="recipients"\r\n\r\n${JSON.stringify(recipients)}\r\n`)
    expect(seen[0]?.body).toContain('name="skip_invalid"\r\n\r\ntrue')
  })

  it('is steered, and its recipients come page after page', async () => {
    const { baseUrl, seen } = await serve(({ url = '' }) =>
      url.includes('recipients') ? { recipients: [{ n: 1 }], next_after: url.includes('after=0') ? 1 : null } : {},
    )
    const { broadcasts } = new Faxdeck({ baseUrl })
    await broadcasts.pause('b1')
    await broadcasts.resume('b1')
    await broadcasts.cancel('b1')
    await broadcasts.resend('b1')
    const found = []
    for await (const { n } of broadcasts.recipients('b1')) found.push(n)
    expect(found).toEqual([1, 1])
    const verbs = ['pause', 'resume', 'cancel', 'resend'].map((verb) => `/fax/broadcasts/b1/${verb}`)
    expect(seen.slice(0, 4).map(({ url }) => url)).toEqual(verbs)
    expect(seen[3]?.headers['idempotency-key']).toBeTruthy()
  })
})

it('lists page after page', async () => {
  const { baseUrl, seen } = await serve((_seen, count) =>
    count === 1
      ? { faxes: [{ id: 'a', to: '+15555550123' }], next_cursor: 'n&x' }
      : { faxes: [{ id: 'b', to: '+15555550124' }], next_cursor: null },
  )
  const ids: string[] = []
  const filter = { status: ['FAILED', 'held'], metadata: { ward: '3B', day: '7' } } as const
  for await (const { id, to_number: number } of new Faxdeck({ baseUrl }).list(filter)) ids.push(`${id} ${number}`)
  expect(ids).toEqual(['a ********0123', 'b ********0124'])
  expect(seen[1]?.url).toBe('/fax?status=FAILED&status=held&metadata=ward%3A3B&metadata=day%3A7&limit=100&cursor=n%26x')
})

it('follows events over connections that break, from the last one that it heard', async () => {
  const event = (id: string) =>
    `id: ${id}\nevent: fax.queued\ndata: ${JSON.stringify({ id, type: 'fax.queued', fax: fax() })}\n\n`
  const { baseUrl, seen } = await serve((_seen, count, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (count === 1) response.end(`: open\n\n${event('e1')}${event('e2').slice(0, 20)}`)
    else response.end(count === 2 ? `: open\n\n${event('e2')}` : 'event: reset\ndata: {"detail":"Unknown."}\n\n')
    return undefined
  })
  const heard: string[] = []
  const follow = async () => {
    for await (const { id } of new Faxdeck({ baseUrl }).events({ after: 'e0' })) heard.push(id)
  }
  await expect(follow()).rejects.toMatchObject({ code: 'reset', message: 'Unknown.' })
  expect(heard).toEqual(['e1', 'e2'])
  expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual(['e0', 'e1', 'e2'])
})

it('reads address and key from the environment', async () => {
  const { baseUrl, seen } = await serve(() => ({ status: 'ok' }))
  vi.stubEnv('FAXDECK_URL', `${baseUrl}/`)
  vi.stubEnv('FAXDECK_API_KEY', 'from-the-environment')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await new Faxdeck().checkHealth()).toBe(true)
  expect(seen[0]?.headers['x-api-key']).toBe('from-the-environment')
})

it('follows received faxes by the list, which it reads again when the stream says so', async () => {
  const all = ['a', 'b', 'c'].map((id) => ({ id, cursor: `at ${id}` }))
  let there = 2
  let stream: ServerResponse | undefined
  const { baseUrl, seen } = await serve(({ url = '' }, _count, response) => {
    const { pathname, searchParams } = new URL(url, 'http://a')
    if (pathname === '/fax/events') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': open\n\n')
      return undefined
    }
    const from = all.findIndex(({ cursor }) => cursor === searchParams.get('cursor')) + 1
    return { faxes: all.slice(from, there), next_cursor: null }
  })
  const ids: string[] = []
  for await (const { id } of new Faxdeck({ baseUrl }).received.follow({ after: 'at a' })) {
    ids.push(id)
    if (id === 'c') break
    there = 3
    stream?.write('id: 1\nevent: inbound.received\ndata: {}\n\n')
  }
  expect(ids).toEqual(['b', 'c'])
  expect(seen[0]?.url).toBe('/fax/events?types=inbound.received%2Cinbound.failed')
})

it('asks again for an answer that was cut off', async () => {
  const { baseUrl } = await serve((_seen, count, response) => {
    if (count > 1) return { id: 'a' }
    response.writeHead(200, { 'content-length': 1000 }).write('{"id"')
    setImmediate(() => response.destroy())
    return undefined
  })
  expect(await new Faxdeck({ baseUrl }).received.get('a')).toEqual({ id: 'a' })
})

it('says at once when received faxes cannot be followed', async () => {
  const { baseUrl } = await serve((_seen, _count, response) => {
    response.writeHead(403)
    return { detail: 'No.', code: 'forbidden', request_id: 'r' }
  })
  await expect(new Faxdeck({ baseUrl }).received.follow().next()).rejects.toThrow(AccessError)
})
