import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Form, readForm } from './read-form.ts'

/** A request as it arrived at an emulator. */
export interface EmulatedRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  /** The fields of a multipart or URL-encoded form. @throws {TypeError} when the body is not a form */
  form: () => Form
}

/** An answer: JSON, or bytes under their own content type. `silence` never answers, `cut` ends the connection. */
export type EmulatedReply =
  { status: number; headers?: Record<string, string>; body?: unknown; bytes?: Uint8Array } | 'silence' | 'cut'

export type Handle = (request: EmulatedRequest) => EmulatedReply | Promise<EmulatedReply>

/** A server on this machine alone. */
export interface EmulatedServer {
  /** `http://127.0.0.1:41234` */
  origin: string
  /** Every request so far, in order. */
  requests: readonly EmulatedRequest[]
  /** Answers the next request, or the next to such a path, with this instead. May be called several times. */
  answerNext: (reply: EmulatedReply, path?: RegExp) => void
  close: () => Promise<void>
}

interface ServeOptions {
  port?: number | undefined
  latencyMs?: number | undefined
  /** What answers are dated by. */
  now?: (() => Date) | undefined
}

async function read(message: IncomingMessage): Promise<EmulatedRequest> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece as Buffer)
  const body = Buffer.concat(pieces)
  const { pathname, searchParams } = new URL(message.url ?? '/', 'http://localhost')
  return {
    method: message.method ?? 'GET',
    path: pathname,
    query: searchParams,
    headers: message.headers,
    body,
    form: () => readForm(body, message.headers['content-type'] ?? ''),
  }
}

function write(reply: EmulatedReply, response: ServerResponse, now: Date): void {
  if (reply === 'silence') return
  if (reply === 'cut') {
    response.destroy()
    return
  }
  const { status, headers = {}, body, bytes } = reply
  const type = bytes || body === undefined ? {} : { 'content-type': 'application/json' }
  response.writeHead(status, { date: now.toUTCString(), ...type, ...headers })
  response.end(bytes ?? (body === undefined ? undefined : JSON.stringify(body)))
}

/** Starts a server that answers as `handle` says. A handler that throws answers 500, as a broken provider would. */
export async function serve(handle: Handle, options: ServeOptions = {}): Promise<EmulatedServer> {
  const { port = 0, latencyMs = 0, now = () => new Date() } = options
  const requests: EmulatedRequest[] = []
  const instead: { reply: EmulatedReply; path: RegExp }[] = []
  const answer = async (message: IncomingMessage, response: ServerResponse) => {
    const request = await read(message)
    requests.push(request)
    const index = instead.findIndex(({ path }) => path.test(request.path))
    const [other] = index < 0 ? [] : instead.splice(index, 1)
    const reply = other?.reply ?? (await handle(request))
    if (latencyMs > 0) await sleep(latencyMs)
    write(reply, response, now())
  }
  const server = createServer((message, response) => {
    answer(message, response).catch((error: unknown) => {
      // A caller that hung up is not a fault; one that is still there learns that something broke.
      if (!response.headersSent && !response.destroyed)
        write({ status: 500, body: { message: String(error) } }, response, now())
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    answerNext: (reply, path = /^/) => void instead.push({ reply, path }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
