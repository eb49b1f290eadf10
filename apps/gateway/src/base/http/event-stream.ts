import { once } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Guards } from './callers/guards.ts'
import type { Caller } from './handler.ts'
import { Problem } from './answers/problem.ts'

/** Writes to one reader. */
export interface EventWriter {
  /** One event or comment, without the empty line that ends it. A reader that does not keep up is let go and may come again. */
  write: (text: string) => void
  end: () => void
  /** Resolves once the reader has taken most of what was written, or is gone. */
  drained: () => Promise<void>
}

/** What a stream is made of once its caller is admitted. */
export interface EventSource {
  /** Begins to write. */
  begin: (writer: EventWriter) => void
  stop: () => void
}

export interface StreamLimits {
  /** Milliseconds between two signs of life; a key that has expired is noticed at the next one. */
  heartbeatMs?: number
  /** Streams at once. */
  max?: number
  /** Of those, for one key. */
  maxPerKey?: number
}

interface StreamRoute extends StreamLimits {
  path: string
  /** Who calls. Asked again while the stream is open. @throws {Problem} */
  admit: (request: FastifyRequest) => Promise<Caller>
  /** Counts the call that opens the stream. @throws {Problem} */
  count?: (caller: Caller, reply: FastifyReply) => Promise<void>
  /** Refusals are still answered as such here. */
  open: (request: FastifyRequest, caller: Caller) => Promise<EventSource>
  /** Why there is no room. */
  full: string
}

/** Bytes that a slow reader may leave waiting. */
const maxWaiting = 64 * 1024

function createWriter(reply: FastifyReply, onEnd: () => void): EventWriter {
  const { raw } = reply
  raw.on('close', onEnd)
  raw.on('error', onEnd)
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  return {
    write: (text) => {
      if (raw.writableLength > maxWaiting) raw.destroy()
      else if (!raw.writableEnded) raw.write(`${text}\n\n`)
    },
    drained: async () => {
      if (!raw.writableNeedDrain || raw.destroyed) return
      await Promise.race([once(raw, 'drain'), once(raw, 'close')])
    },
    end: () => raw.end(),
  }
}

/** Serves server-sent events (WHATWG HTML, 9.2): admits, counts, keeps alive and ends the streams of one address. */
export function serveEvents(app: FastifyInstance, guards: Guards, route: StreamRoute): void {
  const { heartbeatMs = 15_000, max = 64, maxPerKey = max } = route
  const streams = new Set<{ keyId: string; close: () => void; admitAgain: () => void }>()

  const hold = (request: FastifyRequest, reply: FastifyReply, caller: Caller, source: EventSource) => {
    const { keyId } = caller
    const close = () => {
      streams.delete(stream)
      source.stop()
      clearInterval(heartbeat)
      writer.end()
    }
    const writer = createWriter(reply, close)
    // What is sent was chosen by what they might see when they came.
    const stillTheSame = async () => {
      const now = await route.admit(request)
      const mayAsBefore = [...caller.permissions].every((each) => now.permissions.has(each))
      const isSame = now.faxAccess === caller.faxAccess && String(now.groups) === String(caller.groups)
      if (!isSame || !mayAsBefore) close()
    }
    const stream = { keyId, close, admitAgain: () => void stillTheSame().catch(close) }
    const heartbeat = setInterval(() => {
      writer.write(':')
      stream.admitAgain()
    }, heartbeatMs).unref()
    streams.add(stream)
    writer.write(': open')
    source.begin(writer)
    // Its reader may have gone while we began to follow, and its key may have been revoked.
    if (reply.raw.destroyed) close()
    else stream.admitAgain()
  }
  const admitted = async (request: FastifyRequest, reply: FastifyReply) => {
    request.caller = await route.admit(request)
    await route.count?.(request.caller, reply)
  }
  app.get(route.path, { onRequest: admitted }, async (request, reply) => {
    const caller = request.caller ?? (await route.admit(request))
    const source = await route.open(request, caller)
    // Counted once nothing is waited for any more: of two that come at once, the second finds the first.
    const own = [...streams].filter(({ keyId }) => keyId === caller.keyId)
    if (streams.size >= max || own.length >= maxPerKey) {
      source.stop()
      throw new Problem('unavailable', route.full, { retryAfterSeconds: 30 })
    }
    hold(request, reply, caller, source)
  })
  const stopHearing = guards.onKeysEnded(() => streams.forEach(({ admitAgain }) => admitAgain()))
  app.addHook('preClose', async () => {
    stopHearing()
    streams.forEach(({ close }) => close())
  })
}
