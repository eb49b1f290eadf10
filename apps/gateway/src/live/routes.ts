import { liveStream } from '@faxdeck/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Guards } from '../http/guards.ts'
import { Problem } from '../http/problem.ts'
import type { Changes } from './changes.ts'

interface LiveOptions {
  /** Between two signs of life; a key that has expired is noticed at the next one. */
  heartbeatMs?: number
  /** Streams at once. */
  most?: number
}

/** Bytes that a slow reader may leave waiting. */
const mostWaiting = 64 * 1024

/** Writes to a stream until its reader is gone; one that does not read is let go and may come again. */
function createStream(reply: FastifyReply, onEnd: () => void) {
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
    write: (text: string) => {
      if (raw.writableLength > mostWaiting) raw.destroy()
      else if (!raw.writableEnded) raw.write(`${text}\n\n`)
    },
    end: () => raw.end(),
  }
}

/**
 * GET /admin/events: server-sent events that say what has changed, for keys that administer. What stands there now comes
 * along where it is little, as the usual calls answer it.
 */
export function serveLive(app: FastifyInstance, guards: Guards, changes: Changes, options: LiveOptions = {}): void {
  const { heartbeatMs = 15_000, most = 64 } = options
  const streams = new Set<{ close: () => void; admitAgain: () => void }>()

  const admit = async (request: FastifyRequest) => {
    const origin = guards.originOf(request)
    guards.checkLocal(origin)
    await guards.admit(liveStream.scope, request, origin)
  }
  const open = async (request: FastifyRequest, reply: FastifyReply) => {
    const unfollow = await changes.follow((message) => write(`event: change\ndata: ${JSON.stringify(message)}`))
    const close = () => {
      streams.delete(stream)
      unfollow()
      clearInterval(heartbeat)
      end()
    }
    const { write, end } = createStream(reply, close)
    const stream = { close, admitAgain: () => void admit(request).catch(close) }
    const heartbeat = setInterval(() => {
      write(':')
      stream.admitAgain()
    }, heartbeatMs).unref()
    streams.add(stream)
    write(': open')
    // Its reader may have gone while we began to follow, and its key may have been revoked.
    if (reply.raw.destroyed) close()
    else stream.admitAgain()
  }
  app.get(liveStream.path, { onRequest: admit }, async (request, reply) => {
    if (streams.size >= most) {
      throw new Problem('unavailable', `${most} consoles are being told of changes already.`, { retryAfterSeconds: 30 })
    }
    await open(request, reply)
  })
  const stopHearing = guards.onKeysEnded(() => streams.forEach(({ admitAgain }) => admitAgain()))
  app.addHook('preClose', async () => {
    stopHearing()
    streams.forEach(({ close }) => close())
  })
}
