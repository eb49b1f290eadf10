import { setTimeout as pause } from 'node:timers/promises'
import { type FaxEvent, faxStream } from '@faxdeck/contract'
import type { OpenStream } from './connect.ts'
import { Fault } from '../fault.ts'

const pauseMs = 1000
/** A stream that says nothing for so long is dead: the gateway sends a sign of life every 15 seconds. */
const silenceMs = 45_000

/** The blocks of a stream of server-sent events, until it ends, breaks or falls silent. Source: WHATWG HTML, 9.2.6. */
async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Map<string, string>> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  let timer: NodeJS.Timeout | undefined
  try {
    for (;;) {
      timer = setTimeout(() => void reader.cancel().catch(() => undefined), silenceMs)
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }) as const)
      clearTimeout(timer)
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
        const fields = lines.map((line) => [line.split(': ', 1)[0] ?? '', line.slice(line.indexOf(': ') + 2)] as const)
        if (fields.length > 0) yield new Map(fields)
      }
    }
  } finally {
    clearTimeout(timer)
    void reader.cancel().catch(() => undefined)
  }
}

/**
 * Looks whether faxes were received: once the stream is open, and at each of its events. Ends with the stream; what
 * arrives until it is opened again is in the list.
 * @throws {Fault} when the gateway refuses or is not there, and what `look` throws
 */
export async function lookAtArrivals(open: OpenStream, look: () => Promise<void>): Promise<void> {
  const blocks = blocksOf(await open(`${faxStream.path}?types=inbound.received,inbound.failed`, undefined))
  try {
    do await look()
    while (!(await blocks.next()).done)
  } finally {
    await blocks.return(undefined)
  }
}

/**
 * What happens to the faxes that the key sees. A connection that breaks is made again, and what happened meanwhile
 * comes first; `onBreak` is called then.
 * @throws {Fault} when the gateway refuses or is not there
 */
export async function* faxEvents(open: OpenStream, onBreak: () => void): AsyncGenerator<FaxEvent> {
  for (let last: string | undefined; ;) {
    try {
      for await (const block of blocksOf(await open(faxStream.path, last))) {
        const data = JSON.parse(block.get('data') ?? 'null') as FaxEvent
        if (block.get('event') === 'reset') last = undefined
        else {
          last = data.id
          yield data
        }
      }
    } catch (error) {
      if (error instanceof Fault || last === undefined) throw error
    }
    onBreak()
    await pause(pauseMs)
  }
}
