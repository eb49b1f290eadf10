import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CallPlan, planCall } from './destinations.ts'
import type { EmulatorOptions } from './emulator.ts'
import type { EmulatedFax } from './line.ts'

/** A call as the gateway asked for it. */
export interface DialedCall {
  id: string
  to: string
  pagesPath: string
}

/** How a call ended. */
export interface DialedEnd {
  ending: CallPlan['ending'] | 'bad_number' | 'cancelled'
  /** Of the file; 0 when it cannot be read. */
  pages: number
  delivered: boolean
  pagesConfirmed: number
}

interface Parts<Call, Event> {
  /** Reads what the gateway laid out. */
  documents: {
    inspect: (tiff: Uint8Array) => Promise<{ pages: number }>
    tiffToPdf: (tiff: Uint8Array) => Promise<Uint8Array>
    close: () => Promise<void>
  }
  /** Leaves what the engine notes of a call that is over; the events that report it. */
  finish: (call: Call, end: DialedEnd) => Event[] | Promise<Event[]>
}

/** One connection to an emulated engine. It acts on one message after another, and writes in two pieces, as may happen on a real network. */
export abstract class EngineSession<Event> {
  protected readonly socket: Socket
  #unread = ''
  #work = Promise.resolve()

  /** @param blank the line break that ends a message when it stands twice */
  constructor(socket: Socket, { greeting, blank, latencyMs }: { greeting: string; blank: string; latencyMs: number }) {
    this.socket = socket
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('data', (piece: Buffer) => {
      const messages = (this.#unread + piece.toString('utf8')).split(blank + blank)
      this.#unread = messages.pop() ?? ''
      for (const message of messages) this.#work = this.#work.then(() => sleep(latencyMs)).then(() => this.act(message))
    })
    socket.write(greeting)
  }

  abstract report(event: Event): void
  protected abstract act(message: string): void | Promise<void>

  close(): void {
    this.socket.destroy()
  }

  protected write(text: string): void {
    const middle = text.length >> 1
    this.socket.write(text.slice(0, middle))
    this.socket.write(text.slice(middle))
  }
}

/** A telephone engine that shares a folder with the gateway: calls end as their number says, and are reported to every connection. */
export class EmulatedEngine<Call extends DialedCall, Event> {
  readonly faxes: EmulatedFax[] = []
  readonly #options: EmulatorOptions
  readonly #parts: Parts<Call, Event>
  readonly #sessions = new Set<EngineSession<Event>>()
  readonly #up = new Map<string, Call>()
  readonly #tries = new Map<string, number>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #reading = new Set<Promise<number>>()
  readonly #server = createServer()
  #directory: string | undefined

  constructor(options: EmulatorOptions, parts: Parts<Call, Event>) {
    this.#options = options
    this.#parts = parts
  }

  /** Listens on this machine; the port. */
  async listen(open: (socket: Socket, latencyMs: number) => EngineSession<Event>): Promise<number> {
    this.#server.on('connection', (socket) => {
      const session = open(socket, this.#options.latencyMs ?? 0)
      this.#sessions.add(session)
      socket.once('close', () => this.#sessions.delete(session))
    })
    this.#server.listen(this.#options.port ?? 0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
    return address.port
  }

  report(event: Event): void {
    for (const session of this.#sessions) session.report(event)
  }

  /** Where received faxes go. @throws {Error} before the first call has shown where the shared folder is */
  async inbox(): Promise<{ directory: string; inbox: string }> {
    if (this.#directory === undefined) throw new Error('The first fax that is sent tells the shared folder: send one.')
    const inbox = join(this.#directory, 'inbox')
    await mkdir(inbox, { recursive: true })
    return { directory: this.#directory, inbox }
  }

  /** What is to happen to a call to this number. Counts as a try: ask once per request. */
  plan(to: string): CallPlan {
    const before = this.#tries.get(to) ?? 0
    this.#tries.set(to, before + 1)
    return planCall(to, before)
  }

  /** The call that is up. */
  find(id: string): Call | undefined {
    return this.#up.get(id)
  }

  async dial(call: Call, plan: CallPlan): Promise<void> {
    this.#up.set(call.id, call)
    const reading = this.#take(call)
    this.#reading.add(reading)
    const pages = await reading.finally(() => this.#reading.delete(reading))
    const ending = plan.answer === 'bad_number' ? 'bad_number' : plan.ending
    const steps = plan.callbacks === 'early' ? 0 : plan.length
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        void this.#end(call, ending, pages, plan.callbacks)
      },
      steps * (this.#options.stepMs ?? 5),
    )
    this.#timers.add(timer)
  }

  /** Ends a call as the gateway may ask for it. */
  hangUp(id: string): void {
    const call = this.#up.get(id)
    if (call) void this.#end(call, 'cancelled', 1, 'ordinary')
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#reading)
    for (const timer of this.#timers) clearTimeout(timer)
    this.#up.clear()
    this.#server.close()
    for (const session of this.#sessions) session.close()
    await once(this.#server, 'close')
    await this.#parts.documents.close()
  }

  /** Reads the pages; how many there are. */
  async #take({ id, to, pagesPath }: Call): Promise<number> {
    this.#directory ??= dirname(dirname(pagesPath))
    const { documents } = this.#parts
    const tiff = await readFile(pagesPath).catch(() => undefined)
    const read = tiff && (await documents.inspect(tiff).catch(() => undefined))
    if (!read) return 0
    const { pages } = read
    const pdf = await documents.tiffToPdf(tiff)
    const underWay = { state: 'in_progress', ending: null, pagesConfirmed: 0, endedAt: null } as const
    const fax = { id, to, pages, pdf, from: null, callbackUrl: null, labels: {}, takenAt: new Date() }
    this.faxes.push({ ...fax, ...underWay, direction: 'sent' })
    return pages
  }

  async #end(call: Call, ending: DialedEnd['ending'], pages: number, callbacks: CallPlan['callbacks']): Promise<void> {
    if (!this.#up.delete(call.id)) return
    const delivered = (ending === 'delivered' || ending === 'unknown_word') && pages > 0
    const pagesConfirmed = delivered ? pages : ending === 'partial' ? 1 : 0
    const events = await this.#parts.finish(call, { ending, pages, delivered, pagesConfirmed })
    const reported = ending === 'busy' || ending === 'no_answer' || ending === 'cancelled' ? ending : 'partial'
    Object.assign(this.faxes.find(({ id }) => id === call.id) ?? {}, {
      state: 'ended',
      ending: delivered ? 'delivered' : reported,
      pagesConfirmed,
      endedAt: new Date(),
    })
    if (callbacks === 'none') return
    const sent = callbacks === 'muddled' ? [...events.toReversed(), ...events] : events
    for (const event of sent) this.report(event)
  }
}
