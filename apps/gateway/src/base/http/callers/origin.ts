import type { IncomingHttpHeaders } from 'node:http'
import { cleanAddress, type Network } from './network.ts'

/** Where a request comes from. */
export interface Origin {
  /** The peer's address, or the forwarded one when the peer is a trusted proxy. */
  address: string
  /** A proxy that nobody vouches for stands between: the address is not the caller's. */
  hidden: boolean
}

interface Arrival {
  headers: IncomingHttpHeaders
  socket: { remoteAddress?: string | undefined }
}

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'via'] as const

/** `1.2.3.4`, `1.2.3.4:5`, `[::1]:5` and `::1` as proxies write them. */
function forwardedAddress(item: string): string | undefined {
  const bare = item.trim().replace(/^\[([^\]]+)\](:\d+)?$/, '$1')
  return cleanAddress(bare) ?? cleanAddress(bare.replace(/:\d+$/, ''))
}

/** Connections of a UNIX socket: they have no address, and only who may open the socket has one. */
const localPeers = new WeakSet<object>()

/** Notes that a connection came through a UNIX socket. */
export function markLocalPeer(socket: object): void {
  localPeers.add(socket)
}

/** Whether a proxy stands between the caller and us, or somebody says so. */
export const isForwarded = ({ headers, socket }: Arrival): boolean =>
  localPeers.has(socket) || forwardingHeaders.some((name) => headers[name] !== undefined)

/**
 * The caller's address. X-Forwarded-For is believed from its right end, as far as trusted proxies wrote it;
 * anything else that speaks of forwarding makes the caller unknown. What listens at a UNIX socket's other end is a proxy.
 */
export function originOf(request: Arrival, network: Network): Origin {
  const peer = cleanAddress(request.socket.remoteAddress ?? '') ?? 'unknown'
  const isLocalPeer = localPeers.has(request.socket)
  const { headers } = request
  if (!isForwarded(request)) return { address: peer, hidden: false }
  const chain = headers['x-forwarded-for']
  if (chain === undefined || !(isLocalPeer || network.isProxy(peer))) return { address: peer, hidden: true }
  let address = peer
  for (const item of String(chain).split(',').reverse()) {
    const next = forwardedAddress(item)
    if (next === undefined) return { address, hidden: true }
    address = next
    if (!network.isProxy(address)) break
  }
  return { address, hidden: false }
}
