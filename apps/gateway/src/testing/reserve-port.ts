import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'

let anchor: Promise<Server> | undefined

async function openAnchor(): Promise<Server> {
  const server = createServer((socket) => void socket.unref())
    .listen(0, '127.0.0.1')
    .unref()
  await once(server, 'listening')
  return server
}

/**
 * A port of the loopback interface for a program that must know it before it starts, or that starts several times. A
 * connection from this port stays open while this process lives: a server may listen there, and the system gives the
 * port to nobody who asks for just any (Linux, `inet_csk_bind_conflict`).
 */
export async function reservePort(): Promise<number> {
  const { port } = (await (anchor ??= openAnchor())).address() as AddressInfo
  const reservation = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1' })
  await once(reservation, 'connect')
  reservation.unref()
  if (reservation.localPort === undefined) throw new Error('A connection has a local port.')
  return reservation.localPort
}
