import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createServer, Server } from 'node:net'
import type { LinePlan } from '../plan.ts'

/** @throws {Error} with a sentence when another program has the SIP port */
export async function assertFree({
  bind,
  sipPort,
  transport,
}: Pick<LinePlan, 'bind' | 'sipPort' | 'transport'>): Promise<void> {
  const at = { port: sipPort, exclusive: true }
  const socket = transport === 'udp' ? createSocket(bind.includes(':') ? 'udp6' : 'udp4') : createServer()
  try {
    if (socket instanceof Server) socket.listen({ ...at, host: bind })
    else socket.bind({ ...at, address: bind })
    await once(socket, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const why =
      code === 'EADDRINUSE'
        ? `Another program uses port ${sipPort}. Choose another SIP port, or end that program.`
        : `Asterisk cannot listen on ${bind} port ${sipPort} (${code}). Choose another address or port.`
    throw new Error(why, { cause: error })
  } finally {
    socket.close()
  }
}

/** The end of a log, for a person, in one line. */
export async function lastLines(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined)
  if (!file) return ''
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(600), 0, 600, Math.max(0, size - 600))
  await file.close()
  return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-2).join(' ').slice(-300)
}
