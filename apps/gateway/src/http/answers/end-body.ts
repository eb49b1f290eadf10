import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

/** Who was answered before the end of a body has so long to end it. */
const lingerMs = 30_000
const callbackLingerMs = 5000
/** Bytes of a callback that are still read and thrown away, so that a sender who looks up only at the end sees the answer. */
const maxThrownAway = 1024 * 1024

/**
 * Ends a connection whose body is not wanted any more. What is left is thrown away, but nobody keeps a connection open
 * with it; of a large callback nothing more is read, because anybody can send one.
 */
export function endBody(request: IncomingMessage, isCallback: boolean): void {
  const { socket, headers } = request
  // A request that is injected came over no connection.
  if (!(socket instanceof Socket)) return
  const timer = setTimeout(() => socket.destroy(), isCallback ? callbackLingerMs : lingerMs).unref()
  // The connection may go on to the next request.
  request.once('end', () => clearTimeout(timer))
  const isLarge = Number(headers['content-length'] ?? Infinity) > maxThrownAway
  if (isCallback && isLarge) setImmediate(() => socket.pause())
}
