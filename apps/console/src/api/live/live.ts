import type { LiveMessage } from '@faxdeck/contract'
import { send } from '../client.ts'
import { gatewayRoot } from '../gateway-root.ts'
import { readKey } from '../key.ts'

interface Listeners {
  /** The stream is open: what happened before is not reported. */
  onOpen: () => void
  onMessage: (message: LiveMessage) => void
}
interface Pauses {
  /** Before the first try to open a stream again; it doubles from try to try. */
  firstMs?: number
  longestMs?: number
  /** The gateway gives a sign of life every 15 s; a stream silent for longer is dead. */
  silenceMs?: number
}

/** Answers that another try would not change. */
const final = new Set([401, 403, 404])

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** The message in one block of a stream; undefined for signs of life and for what this console does not know. */
function messageIn(block: string): LiveMessage | undefined {
  const data = /^data: (.*)$/m.exec(block)?.[1]
  if (data === undefined || !/^event: change$/m.test(block)) return undefined
  return JSON.parse(data) as LiveMessage
}

/** Reads messages until the stream ends, is cut or falls silent. */
async function readAll(body: ReadableStream<Uint8Array>, onMessage: Listeners['onMessage'], onAlive: () => void) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onAlive()
    const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const message = messageIn(block)
      if (message) onMessage(message)
    }
  }
}

/** One stream, from opening to its end. Answers how it went. */
async function readOnce({ onOpen, onMessage }: Listeners, silenceMs: number, signal: AbortSignal) {
  const cut = new AbortController()
  let timer = setTimeout(() => cut.abort(), silenceMs)
  const onAlive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => cut.abort(), silenceMs)
  }
  let opened = false
  try {
    const headers = { 'x-api-key': readKey() ?? '', accept: 'text/event-stream' }
    const response = await send(`${gatewayRoot}/admin/events`, {
      headers,
      signal: AbortSignal.any([signal, cut.signal]),
    })
    if (final.has(response.status)) return 'refused'
    if (!response.ok || !response.body) return 'failed'
    opened = true
    onOpen()
    await readAll(response.body, onMessage, onAlive)
  } catch {
    // Whatever ended it, the lists go on being asked for at their usual intervals.
  } finally {
    clearTimeout(timer)
  }
  return opened ? 'ended' : 'failed'
}

/**
 * Reads what changes as the gateway reports it, opening the stream again whenever it is cut, after 1 s to 30 s. Ends when
 * the signal aborts, or when the gateway refuses the key or knows no stream.
 */
export async function readLive(listeners: Listeners, signal: AbortSignal, pauses: Pauses = {}): Promise<void> {
  const { firstMs = 1000, longestMs = 30_000, silenceMs = 40_000 } = pauses
  let tries = 0
  while (!signal.aborted) {
    const outcome = await readOnce(listeners, silenceMs, signal)
    if (outcome === 'refused') return
    tries = outcome === 'ended' ? 0 : tries + 1
    const wait = Math.min(longestMs, firstMs * 2 ** tries)
    // Many consoles must not come back in the same instant.
    await pause(wait * (0.5 + Math.random() / 2), signal)
  }
}
