import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { guardedFetch } from './guarded-fetch.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
}

function open(options?: Parameters<typeof guardedFetch>[0]) {
  const guarded = guardedFetch(options)
  onTestFinished(() => guarded.close())
  return guarded.fetch
}

const causeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: unknown) => {
      const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
      return inner instanceof Error ? inner.message : String(inner)
    },
  )

describe('guardedFetch', () => {
  it('sends forms and reads answers like fetch', async () => {
    const url = await serve((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () =>
        response.end(`${request.method} ${request.headers['content-type']?.split(';')[0]} ${body.includes('+1555')}`),
      )
    })
    const form = new FormData()
    form.append('to', '+1555')
    form.append('file', new Blob(['%PDF']), 'a.pdf')
    const response = await open()(url, { method: 'POST', body: form })
    expect(await response.text()).toBe('POST multipart/form-data true')
  })

  it.each([
    ['text', 'text/plain;charset=UTF-8', 'a=1'],
    ['fields', 'application/x-www-form-urlencoded;charset=UTF-8', new URLSearchParams({ a: '1' })],
    ['bytes', 'undefined', Buffer.from('a=1')],
  ])('says of %s what fetch says of it', async (_what, type, body) => {
    const url = await serve((request, response) => {
      request.on('data', (bytes: Buffer) => response.end(`${request.headers['content-type']} ${bytes.toString()}`))
    })
    expect(await (await open()(url, { method: 'POST', body })).text()).toBe(`${type} a=1`)
  })

  it('unpacks an answer, and counts what it grows to', async () => {
    const url = await serve((_request, response) => {
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(200_000, 'a')))
    })
    expect((await (await open({ limit: 200_000 })(url)).text()).length).toBe(200_000)
    expect(await causeOf(open({ limit: 199_999 })(url).then((response) => response.text()))).toContain('larger than')
  })

  it('answers with the head, and with an error to who reads on, when the body breaks off', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '9' }).write('half')
      setImmediate(() => response.destroy())
    })
    const response = await open()(url)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  it('passes on every value of a header, and an answer without a body', async () => {
    const url = await serve((_request, response) => response.writeHead(204, { 'set-cookie': ['a=1', 'b=2'] }).end())
    const response = await open()(url, { method: 'DELETE' })
    expect([response.status, response.headers.getSetCookie(), await response.text()]).toEqual([204, ['a=1', 'b=2'], ''])
  })

  it('follows no redirect', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end()
    })
    expect((await open()(url)).status).toBe(302)
  })

  it('stops reading an answer that grows too large', async () => {
    const url = await serve((_request, response) => response.end(Buffer.alloc(2000)))
    expect((await (await open({ limit: 2000 })(url)).arrayBuffer()).byteLength).toBe(2000)
    expect(await causeOf(open({ limit: 1999 })(url).then((response) => response.arrayBuffer()))).toContain(
      'larger than 1999 bytes',
    )
  })

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://[fe80::1]/',
    'http://0.0.0.0:8080/',
    'http://224.0.0.1/',
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'http://[::ffff:169.254.169.254]/',
    'https://name:password@api.provider.example/',
  ])('never goes to %s', async (url) => {
    expect(await causeOf(open()(url))).toMatch(/must not connect|is(?: not)? fetched/)
  })

  it.each(['127.0.0.1', '10.0.0.1', '192.168.1.1', '::1', 'fd00::1', '::ffff:10.0.0.1', '169.254.169.254'])(
    'does not let a public name lead to %s',
    async (address) => {
      const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
      expect(await causeOf(open({ resolve })('https://api.provider.example/'))).toContain(`leads to ${address}`)
    },
  )

  it.each<[string, (fetch: typeof globalThis.fetch, url: string, signal: AbortSignal) => Promise<Response>]>([
    ['a signal', (fetch, url, signal) => fetch(url, { signal })],
    ['the signal of a request', (fetch, url, signal) => fetch(new Request(url, { signal }))],
  ])('stops with %s that nobody else holds, whatever is collected meanwhile', async (_, ask) => {
    const url = await serve(() => undefined)
    const stopped = causeOf(ask(open(), url, AbortSignal.timeout(300)))
    for (let times = 0; times < 4; times++) {
      await sleep(50)
      collect()
    }
    expect(await Promise.race([stopped, sleep(1000, 'still waits')])).toMatch(/timeout/)
  })

  it('lets a document go out slowly, and gives up once nothing moves', async () => {
    const document = Buffer.alloc(40_000_000, 'faxes')
    const waitMs = 1000
    let taken = 0
    const url = await serve((request, response) => {
      const isSlow = request.url === '/slow'
      request.on('data', (piece: Buffer) => {
        taken += piece.length
        if (!isSlow && taken > 20_000_000) request.pause()
        if (!isSlow) return
        request.pause()
        setTimeout(() => request.resume(), 4)
      })
      request.on('end', () => response.end(request.headers['content-length']))
    })
    // More than 600 pieces, each of which waits for the one before: all of it takes longer than one may.
    const answer = await open({ waitMs })(`${url}slow`, { method: 'POST', body: document })
    expect([await answer.text(), taken]).toEqual([String(document.length), document.length])
    taken = 0
    expect(await causeOf(open({ waitMs })(`${url}stuck`, { method: 'POST', body: document }))).toMatch(/timeout/)
    expect(taken).toBeLessThan(document.length)
  })

  it('stops with the caller’s signal', async () => {
    const url = await serve(() => undefined)
    const abort = new AbortController()
    const call = open()(url, { signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
  })
})
