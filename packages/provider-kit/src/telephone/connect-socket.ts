import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { ProviderProblem } from '../provider.ts'
import { reasonOf } from '../http/reason.ts'

export interface SocketAddress {
  host: string
  port: number
}

/**
 * Connects to a telephone engine.
 * @param name the engine's name, for people
 * @throws {ProviderProblem} `unreachable`, with the reason
 */
export async function connectSocket(name: string, to: SocketAddress, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ ...to, noDelay: true, keepAlive: true })
  // An error is always followed by "close", which is what sessions listen to.
  socket.on('error', () => undefined)
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (error) {
    socket.destroy()
    const reason = reasonOf(error, signal)
    throw new ProviderProblem('unreachable', `${name} cannot be reached at ${to.host} port ${to.port}: ${reason}.`)
  }
}
