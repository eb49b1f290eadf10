import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { LinePlan } from '../plan.ts'

/** A way to one server of SIP. */
export interface SipSocket {
  /** Our end of it, as `Via` names it: `192.0.2.7:40000`. */
  local: string
  send: (text: string) => void
  /** Whether what is sent may be lost, and is to be sent again. */
  isLossy: boolean
  end: () => void
}

interface Heard {
  onMessage: (text: string) => void
  onError: (error: Error) => void
}

const usualPort = { udp: 5060, tcp: 5060, tls: 5061 }

/** The host and port that the settings name. An IPv6 address has no port here. */
function placeOf(host: string, transport: LinePlan['transport']) {
  const [, name = host, port] = isIP(host) === 6 ? [] : (/^(.*?)(?::(\d{1,5}))?$/.exec(host) ?? [])
  return { name, port: port === undefined ? usualPort[transport] : Number(port) }
}

const uriPlace = (address: string, port: number) => `${isIP(address) === 6 ? `[${address}]` : address}:${port}`

/** @throws {Error} of the system, with its code */
async function openUdp(to: { address: string; port: number }, bind: string, heard: Heard): Promise<SipSocket> {
  const socket = createSocket(isIP(to.address) === 6 ? 'udp6' : 'udp4')
  socket.on('error', heard.onError)
  socket.on('message', (message) => heard.onMessage(message.toString('latin1')))
  if (isIP(bind) === isIP(to.address)) socket.bind(0, bind)
  socket.connect(to.port, to.address)
  await once(socket, 'connect')
  const { address, port } = socket.address()
  const send = (text: string) => socket.send(Buffer.from(text, 'latin1'), (error) => error && heard.onError(error))
  return { local: uriPlace(address, port), send, isLossy: true, end: () => socket.close() }
}

/** A stream holds one message after another, each with the length of its body. */
function inMessages(socket: Socket, onMessage: Heard['onMessage']): void {
  let unread = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    unread += piece
    for (;;) {
      const head = unread.indexOf('\r\n\r\n') + 4
      if (head < 4) return
      const body = Number(/^(?:content-length|l)\s*:\s*(\d{1,6})\s*$/im.exec(unread.slice(0, head))?.[1] ?? 0)
      if (unread.length < head + body) return
      onMessage(unread.slice(0, head + body))
      unread = unread.slice(head + body)
    }
  })
}

type StreamTo = { address: string; name: string; port: number }

/** @throws {Error} of the system or of TLS, with its code */
async function openStream(to: StreamTo, plan: LinePlan, signal: AbortSignal, heard: Heard): Promise<SipSocket> {
  const at = { host: to.address, port: to.port }
  const ca = plan.authority === null ? {} : { ca: readFileSync(plan.authority) }
  const named = isIP(to.name) === 0 ? { servername: to.name } : {}
  const isTls = plan.transport === 'tls'
  const socket = isTls ? connectTls({ ...at, ...ca, ...named, minVersion: 'TLSv1.2' }) : connect(at)
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal })
  } catch (error) {
    socket.on('error', () => undefined).destroy()
    throw error
  }
  socket.on('error', heard.onError)
  socket.on('close', () => heard.onError(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
  inMessages(socket, heard.onMessage)
  return {
    local: uriPlace(socket.localAddress ?? '0.0.0.0', socket.localPort ?? 0),
    send: (text) => void socket.write(text, 'latin1'),
    isLossy: false,
    end: () => void socket.destroy(),
  }
}

/** Opens the way to a server as the plan has it. @throws {Error} of the system or of TLS, with its code */
export async function openSip(host: string, plan: LinePlan, signal: AbortSignal, heard: Heard): Promise<SipSocket> {
  const { name, port } = placeOf(host, plan.transport)
  const { address } = await lookup(name)
  signal.throwIfAborted()
  if (plan.transport === 'udp') return openUdp({ address, port }, plan.bind, heard)
  return openStream({ address, name, port }, plan, signal, heard)
}
