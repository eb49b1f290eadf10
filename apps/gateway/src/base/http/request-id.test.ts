import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../start/log.ts'
import { smallApp } from './testing/small-app.ts'

const id = 'a'.repeat(32)

/** What a server answers to bytes as they are. */
async function answerTo(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.end(bytes)
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += String(chunk)
  return text
}

describe('an error', () => {
  const line = 'GET /nothing HTTP/1.1\r\nHost: localhost\r\n'
  it.each([
    ['what is not HTTP', 'hello\r\n\r\n', 400, 'bad_request'],
    ['headers that are too large', `${line}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['a URL that cannot be read', 'GET /%zz HTTP/1.1\r\nHost: localhost\r\n', 400, 'bad_request'],
    ['another host', 'GET /health HTTP/1.1\r\nHost: evil.example\r\n', 403, 'host_refused'],
    ['an unknown address', line, 404, 'not_found'],
    ['an unknown method', 'DELETE /health HTTP/1.1\r\nHost: localhost\r\n', 405, 'method_not_allowed'],
    ['no key', 'GET /fax HTTP/1.1\r\nHost: localhost\r\n', 401, 'unauthorized'],
    [
      'another kind of body',
      'POST /fax HTTP/1.1\r\nHost: localhost\r\nX-API-Key: admin-key\r\nContent-Type: a/b\r\nContent-Length: 1\r\n',
      415,
      'unsupported_document',
    ],
    [
      'an announced size',
      'POST /fax HTTP/1.1\r\nHost: localhost\r\nX-API-Key: admin-key\r\nContent-Length: 99999999\r\n',
      413,
      'too_large',
    ],
  ])('about %s has the form of all, with the id of the request', async (_name, head, status, code) => {
    const { app } = await smallApp({
      health: () => ({ status: 'ok' }),
      submitFax: () => never(),
      listFaxes: () => never(),
    })
    onTestFinished(() => app.close())
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const rest = head.endsWith('\r\n\r\n')
      ? ''
      : 'Connection: close\r\n\r\n' + (head.includes('Length: 1\r') ? 'x' : '')
    const [top = '', body = ''] = (await answerTo(port, head + rest)).split('\r\n\r\n')
    const given = /x-request-id: ([0-9a-f]{24})/i.exec(top)?.[1]
    expect(top).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(top).toMatch(/content-type: application\/problem\+json; charset=utf-8\r\n/i)
    expect(top).toMatch(/cache-control: no-store/i)
    expect(/allow: (.*)/i.exec(top)?.[1]?.trim()).toBe(status === 405 ? 'GET, HEAD' : undefined)
    expect(JSON.parse(body)).toMatchObject({
      status,
      code,
      request_id: given,
      instance: `urn:faxdeck:request:${given}`,
    })
  })
})

const never = (): never => {
  throw new Error('No request gets here.')
}

describe('a line of the log', () => {
  /** A server whose handlers write to the log of the process, at once and later. */
  async function loggingApp() {
    const lines: { msg: string; request_id?: string }[] = []
    const log = createLog({ secrets: [], human: false, write: (text) => void lines.push(JSON.parse(text)) })
    const small = await smallApp(
      {
        listJobs: async () => {
          await delay(5)
          log.warn('listed')
          setTimeout(() => log.warn('listed, long after'), 100)
          throw new Error('no list')
        },
        updateWebhook: async ({ params, body }) => {
          await delay(5)
          log.warn(`changed ${params.id.slice(0, 1)} ${body.enabled}`)
          throw new Error('no change')
        },
      },
      {},
      log,
    )
    return { ...small, log, lines }
  }

  it('has the id of the request that causes it, of several at once, with a body and without', async () => {
    const { ask, lines } = await loggingApp()
    const [listed, changed] = await Promise.all([
      ask({ url: '/admin/fax-jobs' }),
      ask({ method: 'PUT', url: `/admin/webhooks/${id}`, payload: { enabled: true } }),
    ])
    const idOf = (text: string) => lines.filter(({ msg }) => msg === text).map((line) => line.request_id)
    expect(idOf('listed')).toEqual([listed.headers['x-request-id']])
    expect(idOf('changed a true')).toEqual([changed.headers['x-request-id']])
    expect(idOf('A call failed.').sort()).toEqual([listed, changed].map((each) => each.headers['x-request-id']).sort())
  })

  it('names it once, also where a body came over a connection', async () => {
    const { app, lines } = await loggingApp()
    onTestFinished(() => app.close())
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const headers = { 'x-api-key': 'admin-key', 'content-type': 'application/json' }
    const body = JSON.stringify({ enabled: false })
    const answer = await fetch(`${address}/admin/webhooks/${id}`, { method: 'PUT', headers, body })
    const caused = lines.filter(({ msg }) => !msg.startsWith('Server listening'))
    expect(caused).toHaveLength(2)
    for (const line of caused) expect(line.request_id).toBe(answer.headers.get('x-request-id'))
  })

  it('has none when no request causes it, or one that was answered long ago', async () => {
    const { ask, log, lines } = await loggingApp()
    log.warn('of itself')
    await ask({ url: '/admin/fax-jobs' })
    await expect.poll(() => lines.map(({ msg }) => msg)).toContain('listed, long after')
    for (const line of lines.filter(({ msg }) => /itself|after/.test(msg)))
      expect(line).not.toHaveProperty('request_id')
  })
})
