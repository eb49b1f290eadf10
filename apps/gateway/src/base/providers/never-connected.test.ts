import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { callProvider } from '@faxdeck/provider-kit'
import { expect, it, onTestFinished } from 'vitest'
import { guardedFetch } from '../outgoing/guarded-fetch.ts'

/** A server that sees nothing but bytes, and what it saw. */
async function listen(answer: (socket: Socket, first: Buffer) => void) {
  const seen: Buffer[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (piece) => {
      seen.push(piece)
      answer(socket, piece)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const origin = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return { origin, saw: () => Buffer.concat(seen).toString('latin1') }
}

/** What a submission comes to. */
async function submitTo(url: string) {
  const guarded = guardedFetch({ connectMs: 2000 })
  onTestFinished(() => guarded.close())
  const call = { name: 'Acme', url, authorization: 'Basic a2V5', body: new URLSearchParams({ To: '+15555550123' }) }
  const host = { fetch: guarded.fetch, now: () => new Date() }
  return callProvider(call, host, AbortSignal.timeout(10_000)).catch((error: unknown) => error)
}

it.each([
  ['cuts the connection', (socket: Socket) => socket.destroy()],
  ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
  ['answers in plain text', (socket: Socket) => socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n')],
  ['sends a fatal alert', (socket: Socket) => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 40]))],
])('nothing of a fax has left where its provider %s amid the TLS handshake', async (_what, answer) => {
  const { origin, saw } = await listen(answer)
  expect(await submitTo(`https://${origin}/faxes`)).toMatchObject({ name: 'ProviderProblem', kind: 'unreachable' })
  expect(saw()).not.toContain('To=')
})

it('nothing of a fax has left where nobody listens any more', async () => {
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const address = gone.address()
  gone.close()
  await once(gone, 'close')
  const port = typeof address === 'object' ? address?.port : ''
  expect(await submitTo(`http://127.0.0.1:${port}/faxes`)).toMatchObject({ kind: 'unreachable' })
})

it('is unknown what left where the connection was there', async () => {
  const { origin, saw } = await listen((socket, first) => {
    if (first.includes('To=') || first.includes('POST')) setTimeout(() => socket.resetAndDestroy(), 50)
  })
  expect(await submitTo(`http://${origin}/faxes`)).toMatchObject({ kind: 'uncertain' })
  expect(saw()).toContain('POST /faxes')
})
