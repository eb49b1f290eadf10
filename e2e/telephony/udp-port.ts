import { createSocket } from 'node:dgram'
import { once } from 'node:events'

let drawn = 0

/**
 * A UDP port for a program that must know it before it starts: from a block of this process, below the ports that the
 * system gives to whoever asks for just any.
 */
export async function reserveUdpPort(): Promise<number> {
  const port = 10_000 + (process.pid % 100) * 100 + (drawn++ % 100)
  const socket = createSocket('udp4').bind(port, '127.0.0.1')
  try {
    await once(socket, 'listening')
  } catch {
    return reserveUdpPort()
  }
  socket.close()
  return port
}
