import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of the loopback interface that nobody listens on now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('A TCP server has an address with a port.')
  return address.port
}
