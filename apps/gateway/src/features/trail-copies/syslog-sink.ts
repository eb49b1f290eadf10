import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { connect, type TLSSocket } from 'node:tls'
import type { TrailMessage, TrailSink } from './message.ts'

const longestMs = 20_000
/** A server that closes this soon after it got a batch is taken to have died of it, or before. */
const settleMs = 250
/** Facility 13 (log audit), severity 5 (notice): RFC 5424, section 6.2.1. */
const priority = 13 * 8 + 5
/** No structured data: everything is in the message. */
const none = '-'

/** A header field of RFC 5424: printable ASCII without spaces. */
const field = (text: string, max: number) => text.replace(/[^!-~]/g, '').slice(0, max) || none

/** One message (RFC 5424) in its frame (RFC 5425): its length in bytes, a space, the message. */
function frameOf({ ts, event, json }: TrailMessage, host = hostname()): Buffer {
  const head = `<${priority}>1 ${ts} ${field(host, 255)} faxdeck ${none} ${field(event, 32)} ${none} `
  // The mark says that the text is UTF-8.
  const message = Buffer.from(`${head}\uFEFF${json}`)
  return Buffer.concat([Buffer.from(`${message.length} `), message])
}

interface Address {
  host: string
  port: number
}

function addressOf(target: string): Address {
  const at = target.lastIndexOf(':')
  return { host: target.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port: Number(target.slice(at + 1)) }
}

const reasonOf = (error: Error) => ('code' in error ? String(error.code) : error.message)

/**
 * Sends over a connection of its own and closes it. Syslog has no receipts. That the server has read everything shows in
 * how it closes after us: with data unread, its system resets the connection. One that closes before us has failed.
 */
function deliver(socket: TLSSocket, bytes: Buffer, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  let isClosing = false
  const close = () => {
    isClosing = true
    socket.end()
  }
  const fail = (error: Error) => {
    socket.destroy()
    reject(error)
  }
  const stop = () => fail(new Error('stopped'))
  signal.addEventListener('abort', stop, { once: true })
  socket.setTimeout(longestMs, () => fail(new Error('no response within 20 seconds')))
  socket.once('secureConnect', () => socket.write(bytes, () => setTimeout(close, settleMs)))
  socket.once('error', fail)
  socket.once('end', () => {
    if (isClosing) resolve(undefined)
    else fail(new Error('the server closed the connection before it had everything'))
  })
  socket.once('close', () => reject(new Error('the connection broke')))
  // What a server says is of no interest, but it must be read for its end to be seen.
  socket.resume()
  return promise.finally(() => {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  })
}

/** Sends to a syslog server over TLS, whose certificate must be good for its name. @param caFile PEM; Node's own authorities when null */
export const syslogSink = (target: string, caFile: string | null): TrailSink => ({
  name: 'syslog',
  target,
  send: async (messages, signal) => {
    const { host, port } = addressOf(target)
    const bytes = Buffer.concat(messages.map((message) => frameOf(message)))
    try {
      const ca = caFile === null ? {} : { ca: await readFile(caFile) }
      // An address is no name of a server (RFC 6066); the certificate must be good for it all the same.
      const name = isIP(host) === 0 ? { servername: host } : {}
      const socket = connect({ host, port, minVersion: 'TLSv1.2', ...name, ...ca })
      await deliver(socket, bytes, signal)
    } catch (error) {
      const reason = error instanceof Error ? reasonOf(error) : 'unknown error'
      throw new Error(`The syslog server ${target} did not accept the entries (${reason}).`, { cause: error })
    }
  },
})
