import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createDocuments } from '@faxdeck/documents'
import type { EmulatedFax, Emulator, EmulatorOptions, ReceivedFax } from '@faxdeck/provider-kit/emulator'
import { EmulatedCalls, type EmulatedCall } from './emulated/emulated-calls.ts'
import { EmulatedEsl } from './emulated/emulated-esl.ts'
import { EmulatedDialplan } from './emulated/emulated-reception.ts'

const password = 'emulated-password'
const gateway = 'emulated'

/** The shipped dialplan, for every number. */
const anyNumber = readFileSync(new URL('dialplan/faxdeck.xml', import.meta.url), 'utf8').replace(
  /expression="[^"]*"/,
  'expression="^\\+?\\d+$"',
)

/** A stand-in of FreeSWITCH: it speaks ESL, dials, and reports faxes with the events of a real one. */
class EmulatedFreeswitch implements Emulator {
  env: Emulator['env'] = {}
  readonly faxes: EmulatedFax[] = []
  readonly #options: EmulatorOptions
  readonly #documents = createDocuments({ threads: 1 })
  readonly #sessions = new Set<EmulatedEsl>()
  readonly #calls: EmulatedCalls
  readonly #dialplan: EmulatedDialplan
  readonly #server = createServer((socket) => {
    const latencyMs = this.#options.latencyMs ?? 0
    const session = new EmulatedEsl(socket, { password, gateway, calls: this.#calls, latencyMs })
    this.#sessions.add(session)
    socket.once('close', () => this.#sessions.delete(session))
  })
  /** The folder shared with the gateway; the first call reports it. */
  #directory: string | undefined

  constructor(options: EmulatorOptions) {
    this.#options = options
    this.#calls = new EmulatedCalls({
      stepMs: options.stepMs ?? 5,
      report: (event) => this.#sessions.forEach((session) => session.report(event)),
      dialled: (call) => this.#take(call),
      ended: (uuid, facts) => void Object.assign(this.faxes.find(({ id }) => id === uuid) ?? {}, facts),
    })
    this.#dialplan = new EmulatedDialplan(this.#calls.db)
  }

  async listen(): Promise<this> {
    this.#server.listen(this.#options.port ?? 0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
    this.env = {
      FREESWITCH_ESL_HOST: '127.0.0.1',
      FREESWITCH_ESL_PORT: String(address.port),
      FREESWITCH_ESL_PASSWORD: password,
      FREESWITCH_GATEWAY_NAME: gateway,
      FREESWITCH_CALLER_ID_NUMBER: '+15555550000',
    }
    return this
  }

  /** With `reported: never` the event is lost. @throws {Error} before the first call has shown where the shared folder is */
  receive = async ({ from, to, pages, pdf, reported = 'once' }: ReceivedFax): Promise<string> => {
    if (this.#directory === undefined) throw new Error('The first fax that is sent tells the shared folder: send one.')
    const uuid = randomUUID()
    const inbox = join(this.#directory, 'inbox')
    await mkdir(inbox, { recursive: true })
    this.#dialplan.globals.set('faxdeck_dir', this.#directory)
    this.#dialplan.load(anyNumber)
    const write = async (path: string) => {
      await this.#documents.toTiff(Buffer.from(pdf), path, { paper: 'letter', resolution: 'fine' })
      return true
    }
    const { events } = await this.#dialplan.take({ uuid, from, to, pages, write, overT38: true })
    const times = { once: 1, twice: 2, never: 0 }[reported]
    for (const event of Array.from({ length: times }, () => events).flat())
      this.#sessions.forEach((session) => session.report(event))
    return uuid
  }

  close = async (): Promise<void> => {
    await this.#calls.close()
    this.#server.close()
    this.#sessions.forEach((session) => session.close())
    await once(this.#server, 'close')
    await this.#documents.close()
  }

  async #take({ uuid: id, to, pagesPath }: EmulatedCall): Promise<number> {
    this.#directory ??= dirname(dirname(pagesPath))
    const tiff = await readFile(pagesPath).catch(() => undefined)
    const read = tiff && (await this.#documents.inspect(tiff).catch(() => undefined))
    if (!read) return 0
    const { pages } = read
    const pdf = await this.#documents.tiffToPdf(tiff)
    const underWay = { state: 'in_progress', ending: null, pagesConfirmed: 0, endedAt: null } as const
    const fax = { id, to, pages, pdf, from: null, callbackUrl: null, labels: {}, takenAt: new Date() }
    this.faxes.push({ ...fax, ...underWay, direction: 'sent' })
    return pages
  }
}

/** Starts the stand-in. Numbers end as those of every emulator do. */
export const emulate = (options: EmulatorOptions): Promise<Emulator> => new EmulatedFreeswitch(options).listen()
