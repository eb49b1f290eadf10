import { spawnSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** How bad the way is, for RTP, RTCP and UDPTL in both directions. */
export interface Impairment {
  lossPercent: number
  /** A packet is delayed by up to so many milliseconds. Packets of one stream keep their order, as in a router's queue. */
  jitterMs: number
}

type Side = 'line' | 'carrier'

/** Where one side hears media, as the other side sees it. */
interface Hearing {
  socket: Socket
  /** Of the side that hears. */
  port: number
  /** When its last packet is due, in milliseconds of the process. */
  due: number
  /** Its packets that come late, in their order. */
  late: (() => void)[]
}

/** A re-INVITE that waits for the other side's. */
interface Held {
  from: Side
  text: string
  timer: NodeJS.Timeout
}

const heldForMs = 2500
const host = '127.0.0.1'

/**
 * Stands between a line and its carrier on the loopback interface: passes SIP over UDP on, puts itself into every session
 * description, and loses and delays media packets as the test asks. It can let two re-INVITEs cross.
 */
export class Relay {
  /** May be changed while calls are up. */
  impairment: Impairment = { lossPercent: 0, jitterMs: 0 }
  /** Lets the re-INVITEs of both sides cross, once in each call (RFC 3261, section 14.1). */
  makesGlare = false
  /** Calls of the line are answered in the carrier's place: they are to go to this number. */
  redirectTo: string | undefined
  readonly counts = { packets: 0, lost: 0, crossed: 0, pending: 0 }
  readonly #sip: Record<Side, Socket>
  readonly #carrierPort: number
  #linePort = 0
  readonly #hearings = new Map<number, Hearing>()
  readonly #held = new Map<string, Held>()
  readonly #crossed = new Set<string>()
  #work: Promise<void> = Promise.resolve()
  #isClosed = false

  private constructor(line: Socket, carrier: Socket, carrierPort: number) {
    this.#sip = { line, carrier }
    this.#carrierPort = carrierPort
    line.on('message', (message, { port }) => {
      this.#linePort = port
      this.#soon('line', message)
    })
    carrier.on('message', (message) => this.#soon('carrier', message))
  }

  static async start(carrierPort: number): Promise<Relay> {
    // A network does not wait for a processor. What this process starts runs as usual.
    spawnSync('chrt', ['--rr', '--reset-on-fork', '--pid', '10', String(process.pid)])
    return new Relay(await boundTo(0), await boundTo(0), carrierPort)
  }

  /** Where the line is to find its carrier. */
  get address(): string {
    return `${host}:${this.#sip.line.address().port}`
  }

  close(): void {
    this.#isClosed = true
    for (const { timer } of this.#held.values()) clearTimeout(timer)
    for (const socket of [...Object.values(this.#sip), ...[...this.#hearings.values()].map((each) => each.socket)])
      socket.close()
  }

  #soon(from: Side, message: Buffer): void {
    this.#work = this.#work.then(() => this.#take(from, message.toString('latin1')))
  }

  async #take(from: Side, received: string): Promise<void> {
    if (from === 'line' && this.redirectTo !== undefined && isInvite(received)) {
      this.#redirect(received)
      return
    }
    const text = await this.#redirected(received)
    if (/^SIP\/2\.0 491/.test(text)) this.counts.pending += 1
    if (this.makesGlare && isReinvite(text) && this.#holds(from, text)) return
    this.#pass(from, text)
  }

  #redirect(invite: string): void {
    const kept = invite.split('\r\n').filter((line) => /^(via|v|from|f|to|t|call-id|i|cseq)\s*:/i.test(line))
    const to = kept.map((line) => (/^(to|t)\s*:/i.test(line) ? `${line};tag=relay` : line))
    const contact = `Contact: <sip:${this.redirectTo}@${this.address}>`
    const answer = ['SIP/2.0 302 Moved Temporarily', ...to, contact, 'Content-Length: 0', '', ''].join('\r\n')
    this.#pass('carrier', answer)
  }

  #pass(from: Side, text: string): void {
    if (this.#isClosed) return
    const [to, port] = from === 'line' ? (['carrier', this.#carrierPort] as const) : (['line', this.#linePort] as const)
    this.#sip[to].send(Buffer.from(text, 'latin1'), port, host)
  }

  /** Whether a re-INVITE stays here until it can cross that of the other side. */
  #holds(from: Side, text: string): boolean {
    const call = /^call-id\s*:\s*(\S+)/im.exec(text)?.[1] ?? ''
    if (this.#crossed.has(call)) return false
    const other = this.#held.get(call)
    // The same once more: it was not answered yet.
    if (other?.from === from) return true
    if (!other) {
      const giveUp = () => {
        this.#held.delete(call)
        this.#crossed.add(call)
        this.#pass(from, text)
      }
      this.#held.set(call, { from, text, timer: setTimeout(giveUp, heldForMs) })
      return true
    }
    clearTimeout(other.timer)
    this.#held.delete(call)
    this.#crossed.add(call)
    this.counts.crossed += 1
    this.#pass(other.from, other.text)
    return false
  }

  /** The message with our ports in place of those where the sender hears media. */
  async #redirected(text: string): Promise<string> {
    const at = text.indexOf('\r\n\r\n') + 4
    const body = text.slice(at)
    if (at < 4 || !body.startsWith('v=0')) return text
    let changed = body
    for (const [whole, kind = '', port = ''] of body.matchAll(/^m=(audio|image) (\d+)/gm)) {
      if (port !== '0') changed = changed.replace(whole, `m=${kind} ${await this.#hearingFor(Number(port))}`)
    }
    const head = text.slice(0, at).replace(/^(content-length|l)(\s*:\s*)\d+/im, `$1$2${Buffer.byteLength(changed)}`)
    return head + changed
  }

  /** Our port for one of a side, and the one above it, where RTCP goes. */
  async #hearingFor(port: number): Promise<number> {
    const known = this.#hearings.get(port)
    if (known) return known.socket.address().port
    const [rtp, rtcp] = await boundPair()
    for (const [socket, its] of [
      [rtp, port],
      [rtcp, port + 1],
    ] as const) {
      const hearing: Hearing = { socket, port: its, due: 0, late: [] }
      this.#hearings.set(its, hearing)
      socket.on('message', (message, sender) => this.#carry(hearing, message, sender.port))
    }
    return rtp.address().port
  }

  /** A packet comes from where its sender hears, as with symmetric RTP. */
  #carry(hearing: Hearing, message: Buffer, sender: number): void {
    const { lossPercent, jitterMs } = this.impairment
    this.counts.packets += 1
    if (Math.random() * 100 < lossPercent) {
      this.counts.lost += 1
      return
    }
    const send = () => {
      if (!this.#isClosed) (this.#hearings.get(sender) ?? hearing).socket.send(message, hearing.port, host)
    }
    const now = performance.now()
    hearing.due = Math.max(hearing.due, now + Math.random() * jitterMs)
    if (jitterMs === 0) {
      send()
      return
    }
    // Packets come late, but in their order: what is due at the same moment would be sent in any.
    hearing.late.push(send)
    setTimeout(() => hearing.late.shift()?.(), hearing.due - now)
  }
}

const isInvite = (text: string) => text.startsWith('INVITE ') && !isReinvite(text)
const isReinvite = (text: string) => text.startsWith('INVITE ') && /^(to|t)\s*:.*;tag=/im.test(text)

async function boundTo(port: number): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(port, host)
  await once(socket, 'listening')
  return socket
}

async function boundPair(): Promise<[Socket, Socket]> {
  for (;;) {
    const first = await boundTo(0)
    const { port } = first.address()
    const second = port % 2 === 0 ? await boundTo(port + 1).catch(() => undefined) : undefined
    if (second) return [first, second]
    first.close()
  }
}
