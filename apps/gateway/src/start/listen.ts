import { chmodSync, statSync, unlinkSync } from 'node:fs'
import { Server as HttpsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { CoreSettings } from '@faxdeck/settings'
import type { FastifyInstance } from 'fastify'
import { isLoopback } from '../base/http/callers/network.ts'
import { markLocalPeer } from '../base/http/callers/origin.ts'
import { StartProblem } from '../base/settings/start-problem.ts'

type Place = Pick<CoreSettings, 'host' | 'port' | 'unix_socket'>

/** The proxy's user opens the socket as a member of the gateway's group. */
const socketMode = 0o660

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

function portProblem(error: unknown, { host, port }: Place): unknown {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    return new StartProblem(
      `Port ${port} on ${host} is taken. Stop the program that uses it, or set PORT to another one.`,
    )
  }
  if (code === 'EACCES')
    return new StartProblem(`Port ${port} requires privileges this user lacks. Set PORT to 1024 or above.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartProblem(`HOST ${host} is not an address of this machine. Set HOST to 127.0.0.1 or to one that is.`)
  }
  return error
}

/** Whether a socket's file was left behind: a process that was killed could not remove it, and nobody answers. */
function isAbandoned(path: string): Promise<boolean> {
  // A connection to an ordinary file is refused in the same way, and it must not be removed.
  if (!statSync(path, { throwIfNoEntry: false })?.isSocket()) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error) => resolve(codeOf(error) === 'ECONNREFUSED'))
  })
}

async function listenOnSocket(app: FastifyInstance, path: string): Promise<string> {
  if (await isAbandoned(path)) unlinkSync(path)
  app.server.on('connection', markLocalPeer)
  try {
    await app.listen({ path })
    chmodSync(path, socketMode)
  } catch (error) {
    const code = codeOf(error)
    if (typeof code !== 'string') throw error
    throw new StartProblem(
      code === 'EADDRINUSE'
        ? `UNIX_SOCKET ${path} is taken: another program listens there, or a file of that name is not a socket. Choose another path.`
        : `UNIX_SOCKET ${path} cannot be made (${code}). Choose a path of at most 107 bytes in a folder that this user can write to.`,
    )
  }
  return `unix:${path}`
}

/** The first file descriptor that a supervisor hands over: sd_listen_fds(3). */
const firstHandedOver = 3

function isHandedOver({ LISTEN_PID: pid, LISTEN_FDS: count }: NodeJS.ProcessEnv): boolean {
  if (pid !== String(process.pid)) return false
  if (count === '1') return true
  throw new StartProblem(`${count ?? 'No'} sockets were handed over. Configure a single one in faxdeck.socket.`)
}

/** The address of a server that listens on TCP, as browsers take it. */
export function urlOf(server: FastifyInstance['server'], { address, family, port }: AddressInfo): string {
  // Fastify reads the configured null as true.
  const scheme = server instanceof HttpsServer ? 'https' : 'http'
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/**
 * Listens on a socket that another process opened and keeps: it goes on queueing connections while this one is
 * replaced by its successor.
 */
async function listenOnHandedOver(app: FastifyInstance, host: string): Promise<string> {
  // Fastify passes the descriptor on; without a host it would look for the addresses of "localhost".
  await app.listen({ fd: firstHandedOver, host } as { host: string })
  const address = app.server.address()
  if (typeof address === 'string' || address === null) {
    const path = address ?? ''
    // Whoever can open it is believed about callers' addresses.
    if (path.startsWith('/') && (statSync(path).mode & 0o007) !== 0)
      throw new StartProblem(`Everybody may open ${path}. Set SocketMode=0660 and SocketGroup= in faxdeck.socket.`)
    app.server.on('connection', markLocalPeer)
    return `unix:${path}`
  }
  // What may be reached from elsewhere is decided by HOST.
  if (!isLoopback(address.address) && (isLoopback(host) || host === 'localhost')) {
    throw new StartProblem(
      `The socket handed over listens on ${address.address}, and HOST is ${host}. Set HOST to ${address.address}, or let the socket listen on 127.0.0.1.`,
    )
  }
  return urlOf(app.server, address)
}

/**
 * Begins to listen on the socket that a supervisor hands over, or else where the settings say.
 * @returns the address, `http://127.0.0.1:8080` or `unix:/run/faxdeck/http.sock`
 * @throws {StartProblem} when nothing can listen there
 */
export async function listen(app: FastifyInstance, place: Place, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { host, port, unix_socket: path } = place
  if (isHandedOver(env)) return listenOnHandedOver(app, host)
  if (path !== null) return listenOnSocket(app, path)
  try {
    return await app.listen({ host, port })
  } catch (error) {
    throw portProblem(error, place)
  }
}
