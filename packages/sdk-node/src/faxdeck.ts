import { Broadcasts } from './broadcasts.ts'
import { environment } from './environment.ts'
import { followEvents } from './events.ts'
import { Inbound, saved } from './inbound.ts'
import { formOf, type Labels, type Looks, type Meant, type Unreadable } from './looks.ts'
import { fileOf, type Paper } from './paper.ts'
import { FaxdeckError } from './problems.ts'
import { Received } from './received.ts'
import { Webhooks } from './webhooks.ts'
import { ask, type Ask, type Connection } from './request.ts'
import { sendEach } from './send-each.ts'
import type { Fax, FaxEvent, Job, JobFilter, Quote, SplitQuote } from './shapes.ts'
import { waitFor, type Waiting } from './wait.ts'

export interface FaxdeckOptions {
  /** For example `http://127.0.0.1:8080`. `FAXDECK_URL` of the environment when it is not given. */
  baseUrl?: string | undefined
  /** `FAXDECK_API_KEY` of the environment when it is not given. */
  apiKey?: string | undefined
  /** Seconds for one request; 30 when it is not given. */
  timeout?: number
  /** How often a request that may safely be repeated is repeated; 3 when it is not given. */
  retries?: number
  fetch?: typeof globalThis.fetch
}

export interface Sending extends Looks, Labels, Meant {
  file: Paper
  /** The name that is shown for bytes and streams. */
  fileName?: string
  /** `refuse` when it is not given. */
  unreadable?: Unreadable
  /**
   * Makes a repeat the same fax. One is made for each call when it is not given, so that a request whose answer was
   * lost can be repeated here; give your own to be safe across restarts of your program.
   */
  idempotencyKey?: string
  signal?: AbortSignal
}

interface Options {
  signal?: AbortSignal
}

const usualUrl = 'http://127.0.0.1:8080'
const perPage = 100

const faxPath = (id: string) => `/fax/${encodeURIComponent(id)}`
const maskNumber = (number: string) => number.replace(/.(?=.{4})/g, '*')

function connectionOf(options: FaxdeckOptions): Connection {
  const baseUrl = (options.baseUrl ?? environment.url() ?? usualUrl).replace(/\/+$/, '')
  if (!/^https?:\/\//.test(baseUrl))
    throw new FaxdeckError(`"${baseUrl}" is not a gateway URL; it must start with http:// or https://.`)
  return {
    baseUrl,
    apiKey: options.apiKey ?? environment.apiKey(),
    timeout: (options.timeout ?? 30) * 1000,
    retries: options.retries ?? 3,
    // A browser's `fetch` must be called without another `this`.
    fetch: options.fetch ?? ((...given) => globalThis.fetch(...given)),
  }
}

/**
 * A Faxdeck gateway.
 * @example
 * const faxdeck = new Faxdeck({ baseUrl: 'http://127.0.0.1:8080', apiKey: '…' })
 * const fax = await faxdeck.send({ to: '+15555550123', file: 'letter.pdf' })
 * console.log((await faxdeck.wait(fax.id)).status)
 */
export class Faxdeck {
  readonly #connection: Connection
  /** Received faxes. */
  readonly received: Received
  /** Received faxes, as earlier versions had them. */
  readonly inbound: Inbound
  /** The webhooks of this key. */
  readonly webhooks: Webhooks
  /** One document to many numbers. */
  readonly broadcasts: Broadcasts

  constructor(options?: FaxdeckOptions)
  /** As the predecessor's client was made. */
  constructor(baseUrl: string, apiKey?: string)
  constructor(options: FaxdeckOptions | string = {}, apiKey?: string) {
    this.#connection = connectionOf(typeof options === 'string' ? { baseUrl: options, apiKey } : options)
    this.received = new Received(this.#connection)
    this.inbound = new Inbound(this.#connection)
    this.webhooks = new Webhooks(this.#connection)
    this.broadcasts = new Broadcasts(this.#connection)
  }

  /**
   * Sends a document. It resolves when the gateway has it safe, before it is delivered; `wait` returns the outcome.
   * Several recipients are several faxes: a number that is refused does not stop the others. For many, use
   * `broadcasts.send`, which takes all or none.
   * @throws {RefusedError} when the number or the document cannot be faxed
   * @throws {PartialSendError} when only some of several recipients were accepted: it holds their faxes
   */
  send(sending: Sending & { to: string }): Promise<Fax>
  send(sending: Sending & { to: readonly string[] }): Promise<Fax[]>
  async send({ to, file, fileName, idempotencyKey, signal, ...looks }: Sending & { to: string | readonly string[] }) {
    const document = await fileOf(file, fileName)
    const key = idempotencyKey ?? crypto.randomUUID()
    const sendTo = (number: string, own: string) =>
      this.#submit(formOf(document, { to: number, ...looks }), own, signal)
    if (typeof to === 'string') return sendTo(to, key)
    return sendEach(to, key, sendTo)
  }

  /** The state of a fax. */
  status(id: string, options: Options = {}): Promise<Fax> {
    return this.#json(faxPath(id), options)
  }

  /** Waits until the outcome of a fax is known. @throws {StillUnderWayError} when the time is up */
  wait(id: string, waiting: Waiting = {}): Promise<Fax> {
    const { signal } = waiting
    const read = (seconds: number, until: number) =>
      this.#json<Fax>(faxPath(id), { query: { wait: seconds }, held: seconds * 1000, signal, until })
    return waitFor(id, read, waiting)
  }

  /** Pages, bytes and predicted minutes of a document and its cover page, with the number on it; nothing is sent. */
  async quote(
    file: Paper,
    { fileName, signal, ...looks }: Options & Looks & Meant & { to?: string; fileName?: string } = {},
  ): Promise<Quote> {
    const form = formOf(await fileOf(file, fileName), looks)
    return this.#json('/fax/quote', { method: 'POST', form, signal, repeatable: true })
  }

  /**
   * A separator sheet to print, a PDF: the pages after it in a scan go to its number, and the document of the fax is
   * called by its reference. Also written to `path` when one is given.
   * @throws {RefusedError} when it is no number
   */
  async separator(
    to: string,
    { reference, allowUnlikelyNumber, path, signal }: Options & Meant & { reference?: string; path?: string } = {},
  ): Promise<Uint8Array> {
    const how = {
      method: 'POST',
      json: { to, reference, allow_unlikely_number: allowUnlikelyNumber },
      signal,
      repeatable: true,
    } as const
    return saved(await ask(this.#connection, '/fax/separators', how), path)
  }

  /** To which number each page of a scan with separator sheets goes, and what sending it takes; nothing is sent. */
  async quoteSplit(
    file: Paper,
    { fileName, signal, ...looks }: Options & Looks & { fileName?: string } = {},
  ): Promise<SplitQuote> {
    const form = formOf(await fileOf(file, fileName), looks)
    return this.#json('/fax/split/quote', { method: 'POST', form, signal, repeatable: true })
  }

  /**
   * Sends a scan in which a separator sheet stands before the pages of each fax: all of them or none.
   * @throws {RefusedError} when it is not sure to which number every page goes
   */
  async split({ file, fileName, idempotencyKey, signal, ...looks }: Sending): Promise<Fax[]> {
    const form = formOf(await fileOf(file, fileName), looks)
    const headers = { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }
    const how: Ask = { method: 'POST', form, headers, signal, repeatable: true }
    return (await this.#json<{ faxes: Fax[] }>('/fax/split', how)).faxes
  }

  /** The faxes that the key sees, newest first, page after page as they are asked for. */
  async *list({ metadata, ...filter }: JobFilter = {}, { signal }: Options = {}): AsyncGenerator<Job> {
    const pairs = Object.entries(metadata ?? {}).map((pair) => pair.join(':'))
    let cursor: string | undefined
    do {
      const query = { ...filter, metadata: pairs, limit: perPage, cursor }
      const page = await this.#json<{ faxes: Fax[]; next_cursor: string | null }>('/fax', { query, signal })
      yield* page.faxes.map((fax) => ({ ...fax, to_number: maskNumber(fax.to) }))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  /**
   * What happens to the faxes that the key sees, as it happens; `after` is the id of the last event that was dealt with. A
   * connection that breaks is made again, and what happened meanwhile comes first.
   * @throws {GatewayError} with the code `reset` when the gateway no longer knows that event: read the list again
   */
  events(options: Options & { after?: string } = {}): AsyncGenerator<FaxEvent> {
    return followEvents(this.#connection, options)
  }

  /** Stops a fax that has not been submitted to a provider. */
  cancel(id: string, options: Options = {}): Promise<Fax> {
    return this.#json(`${faxPath(id)}/cancel`, { method: 'POST', ...options })
  }

  /**
   * Sends a finished fax again, as a new one. An idempotency key is made for each call; give your own to be safe across
   * restarts of your program. `unreadable` applies again to pages that lose writing, `allowUnlikelyNumber` to the number.
   * Without `force`, no other copy is sent where one was delivered or is on its way, or where no fax answers.
   */
  resend(
    id: string,
    {
      idempotencyKey,
      unreadable,
      allowUnlikelyNumber,
      force,
      ...options
    }: Options & Meant & { idempotencyKey?: string; unreadable?: Unreadable; force?: boolean } = {},
  ): Promise<Fax> {
    const headers = { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }
    return this.#json(`${faxPath(id)}/resend`, {
      method: 'POST',
      json: { unreadable, allow_unlikely_number: allowUnlikelyNumber, force },
      headers,
      repeatable: true,
      ...options,
    })
  }

  /** Whether the gateway answers. @throws {ConnectionError} when it does not */
  async checkHealth(options: Options = {}): Promise<boolean> {
    return (await this.#json<{ status: string }>('/health', options)).status === 'ok'
  }

  /** The predecessor's name for `send`. */
  sendFax(to: string, filePath: string): Promise<Fax> {
    return this.send({ to, file: filePath })
  }

  /** The predecessor's name for `status`. */
  getStatus(jobId: string): Promise<Fax> {
    return this.status(jobId)
  }

  async #submit(form: FormData, key: string, signal: AbortSignal | undefined): Promise<Fax> {
    const headers = { 'idempotency-key': key }
    return this.#json('/fax', { method: 'POST', form, headers, signal, repeatable: true })
  }

  async #json<T>(path: string, how: Ask): Promise<T> {
    return (await (await ask(this.#connection, path, how)).json()) as T
  }
}
