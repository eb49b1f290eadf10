import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createDocuments } from '@faxdeck/documents'
import {
  Courier,
  type EmulatedFax,
  type Emulator,
  type EmulatorOptions,
  type ReceivedFax,
} from '@faxdeck/provider-kit/emulator'
import { EmulatedAmi } from './emulated-ami.ts'
import { type EmulatedCall, EmulatedCalls } from './emulated-calls.ts'

const user = 'faxdeck'
const password = 'emulated-password'
const secret = 'emulated-internal-secret'

/** A stand-in of Asterisk with the shipped dialplan: it speaks AMI, dials, and leaves the same notes and pages. */
class EmulatedAsterisk implements Emulator {
  env: Emulator['env'] = {}
  readonly faxes: EmulatedFax[] = []
  readonly #options: EmulatorOptions
  readonly #documents = createDocuments({ threads: 1 })
  readonly #courier = new Courier()
  readonly #sessions = new Set<EmulatedAmi>()
  readonly #calls: EmulatedCalls
  readonly #server = createServer((socket) => {
    const session = new EmulatedAmi(socket, {
      user,
      password,
      calls: this.#calls,
      latencyMs: this.#options.latencyMs ?? 0,
    })
    this.#sessions.add(session)
    socket.once('close', () => this.#sessions.delete(session))
  })
  /** The folder shared with the gateway; the first call names it. */
  #directory: string | undefined
  #received = 0

  constructor(options: EmulatorOptions) {
    this.#options = options
    this.#calls = new EmulatedCalls({
      stepMs: options.stepMs ?? 5,
      report: (event) => this.#sessions.forEach((session) => session.report(event)),
      dialled: (call) => this.#take(call),
      ended: (providerId, facts) => void Object.assign(this.faxes.find(({ id }) => id === providerId) ?? {}, facts),
    })
  }

  async listen(): Promise<this> {
    this.#server.listen(this.#options.port ?? 0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
    this.env = {
      ASTERISK_AMI_HOST: '127.0.0.1',
      ASTERISK_AMI_PORT: String(address.port),
      ASTERISK_AMI_USERNAME: user,
      ASTERISK_AMI_PASSWORD: password,
      ASTERISK_INBOUND_SECRET: secret,
      FAX_LOCAL_STATION_ID: '+15555550000',
    }
    return this
  }

  /** @throws {Error} before the first call has shown where the shared folder is */
  receive = async ({ from, to, pages, pdf, reported = 'once' }: ReceivedFax): Promise<string> => {
    if (this.#directory === undefined) throw new Error('The first fax that is sent tells the shared folder: send one.')
    const uniqueid = `${Math.floor(Date.now() / 1000)}.${(this.#received += 1)}`
    const inbox = join(this.#directory, 'inbox')
    await mkdir(inbox, { recursive: true })
    const path = join(inbox, `${uniqueid}_${to}_${from}.tif`)
    await this.#documents.toTiff(Buffer.from(pdf), path, { paper: 'letter', resolution: 'fine' })
    const numbers = { to_number: to, from_number: from }
    const body = JSON.stringify({ tiff_path: path, ...numbers, faxstatus: 'SUCCESS', faxpages: `${pages}`, uniqueid })
    await writeFile(`${path}.json`, body)
    const headers = { 'content-type': 'application/json', 'x-internal-secret': secret }
    const address = `${this.#options.gatewayUrl}/_internal/asterisk/inbound`
    const post = () => this.#courier.post(address, () => ({ headers, body }))
    await Promise.all({ once: [post], twice: [post, post], never: [] }[reported].map((report) => report()))
    return uniqueid
  }

  close = async (): Promise<void> => {
    await this.#calls.close()
    await this.#courier.close()
    this.#server.close()
    this.#sessions.forEach((session) => session.close())
    await once(this.#server, 'close')
    await this.#documents.close()
  }

  async #take({ providerId: id, to, pages: path, result }: EmulatedCall): Promise<number> {
    this.#directory ??= dirname(dirname(result))
    const tiff = await readFile(path).catch(() => undefined)
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
export const emulate = (options: EmulatorOptions): Promise<Emulator> => new EmulatedAsterisk(options).listen()
