import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { finished } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { isForwarded } from './callers/origin.ts'

/** How long a caller that was answered early has to finish sending its body. */
const lingerMs = 30_000
const callbackLingerMs = 5000
/** Bytes of a callback that are still read and thrown away, so that a sender who looks up only at the end sees the answer. */
const maxThrownAway = 1024 * 1024

/**
 * Ends a connection whose body is not wanted any more. What is left is thrown away, but nobody keeps a connection open
 * with it; of a large callback nothing more is read, because anybody can send one.
 * @param unread where a connection is kept while nothing of it is read
 */
function endBody(request: IncomingMessage, isCallback: boolean, unread: Set<Socket>): void {
  const { socket, headers } = request
  // A request that is injected came over no connection.
  if (!(socket instanceof Socket)) return
  const timer = setTimeout(() => socket.destroy(), isCallback ? callbackLingerMs : lingerMs).unref()
  // The connection may go on to the next request.
  request.once('end', () => clearTimeout(timer))
  const isLarge = Number(headers['content-length'] ?? Infinity) > maxThrownAway
  if (!isCallback || !isLarge) return
  unread.add(socket.once('close', () => unread.delete(socket)))
  setImmediate(() => socket.pause())
}

/**
 * Reads what is left of a body and throws it away, for as long as its sender may take. Some proxies (Caddy) end the
 * caller's connection once they have an answer: one that was still sending would see a broken connection in its place.
 */
function untilBodyEnds(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lingerMs).unref()
    finished(request, { writable: false }, () => {
      clearTimeout(timer)
      resolve()
    })
    request.resume()
  })
}

/** Sees to the bodies of calls that are answered before everything has arrived. */
export function endBodies(app: FastifyInstance): void {
  /** Connections that were answered and are not read: one does not notice that its sender has left. */
  const unread = new Set<Socket>()
  app.addHook('preClose', (done) => {
    unread.forEach((socket) => socket.destroy())
    done()
  })
  app.addHook('onSend', ({ raw, routeOptions }, _reply, _payload, done) => {
    const isWaitedFor = !raw.complete && routeOptions.config.webhook !== true && isForwarded(raw)
    if (isWaitedFor) void untilBodyEnds(raw).then(() => done())
    else done()
  })
  app.addHook('onResponse', ({ raw, routeOptions }, _reply, done) => {
    if (!raw.complete) endBody(raw, routeOptions.config.webhook === true, unread)
    done()
  })
}
