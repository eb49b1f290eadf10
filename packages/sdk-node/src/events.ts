import { pause } from './pause.ts'
import { ConnectionError, GatewayError } from './problems.ts'
import { type Ask, ask, type Connection } from './request.ts'
import type { FaxEvent } from './shapes.ts'

/** A stream that says nothing for so long is dead: the gateway sends a sign of life every 15 seconds. */
const silenceMs = 45_000
const pauseMs = 1000

/** The blocks of a stream of server-sent events. Source: WHATWG HTML, 9.2.6. */
async function* blocksOf(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<Map<string, string>> {
  const decoder = new TextDecoder()
  let rest = ''
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    heard()
    const blocks = (rest + decoder.decode(part.value, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
      if (lines.length > 0)
        yield new Map(lines.map((line) => [line.split(': ', 1)[0] ?? '', line.slice(line.indexOf(': ') + 2)]))
    }
  }
}

/** One connection, until it ends. */
async function* listen(
  connection: Connection,
  last: string | undefined,
  given: AbortSignal | undefined,
  types?: string,
) {
  const silence = new AbortController()
  const watch = () => setTimeout(() => silence.abort(), silenceMs)
  let timer = watch()
  const heard = () => {
    clearTimeout(timer)
    timer = watch()
  }
  const signal = given ? AbortSignal.any([given, silence.signal]) : silence.signal
  const how: Ask = {
    signal,
    query: { types },
    endless: true,
    headers: last === undefined ? {} : { 'last-event-id': last },
  }
  try {
    const { body } = await ask(connection, '/fax/events', how)
    // Of received faxes the list is read once the stream is open.
    if (types !== undefined) yield new Map<string, string>()
    if (body) yield* blocksOf(body, heard)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * What happens to the faxes that the key sees, as it happens. A connection that breaks is made again, and what happened
 * meanwhile comes first.
 * @throws {GatewayError} when the gateway refuses; also, with code `reset`, when it no longer knows the last event
 */
export async function* followEvents(
  connection: Connection,
  { after, signal }: { after?: string; signal?: AbortSignal },
): AsyncGenerator<FaxEvent> {
  for (let last = after; ;) {
    try {
      for await (const block of listen(connection, last, signal)) {
        const data = JSON.parse(block.get('data') ?? 'null') as FaxEvent & { detail?: string }
        if (block.get('event') === 'reset') throw new GatewayError(410, { detail: data.detail ?? '', code: 'reset' })
        last = data.id
        yield data
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof GatewayError || error instanceof ConnectionError || error instanceof SyntaxError) throw error
    }
    await pause(pauseMs, signal)
  }
}

/** Says that faxes may have been received: once the stream is open, and at each of its events. Ends with the stream. */
export async function* arrivals(connection: Connection, signal: AbortSignal | undefined): AsyncGenerator {
  try {
    yield* listen(connection, undefined, signal, 'inbound.received,inbound.failed')
  } catch (error) {
    // A stream that breaks or falls silent is opened again by the caller.
    if (error instanceof GatewayError || error instanceof ConnectionError) throw error
  }
}
