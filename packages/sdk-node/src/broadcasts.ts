import { writePrivately } from './files.ts'
import { formOf, type Looks, type Meant, type Unreadable } from './looks.ts'
import { fileOf, type Paper } from './paper.ts'
import { ask, type Ask, type Connection } from './request.ts'
import type { Broadcast, BroadcastDetail, BroadcastRecipient } from './shapes.ts'

/** A number of a broadcast. The name is printed on a cover page whose `to` is not given. */
export interface Recipient {
  to: string
  name?: string
  /** Comes back with the outcome of its fax. */
  reference?: string
}

/** One document to many numbers. */
export interface BroadcastSending extends Looks, Meant {
  file: Paper
  /** The name that is shown for bytes and streams. */
  fileName?: string
  /** Up to 5,000 numbers; or a list as text: CSV with the columns fax, name and reference, or one number a line. */
  recipients: string | readonly (string | Recipient)[]
  /** Leaves out rows without a valid fax number, and says which; otherwise nothing is sent then. */
  skipInvalid?: boolean
  /** `refuse` when it is not given. */
  unreadable?: Unreadable
  /** As with `send`: give your own to be safe across restarts of your program. */
  idempotencyKey?: string
  signal?: AbortSignal
}

interface Options {
  signal?: AbortSignal
}

const perPage = 50
const recipientsPerPage = 1000

/** Broadcasts: one document to many numbers, accepted as a whole or not at all. */
export class Broadcasts {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /**
   * Sends one document to many numbers. It resolves when the gateway has all faxes safe. `faxes` says how many were
   * accepted; `duplicates` and `skipped_rows` what was left out.
   * @throws {RefusedError} when the document cannot be faxed, or naming in `fields` each row without a valid number
   */
  async send({ file, fileName, recipients, skipInvalid, idempotencyKey, signal, ...looks }: BroadcastSending) {
    const form = formOf(await fileOf(file, fileName), looks)
    form.set('recipients', typeof recipients === 'string' ? recipients : JSON.stringify(recipients))
    if (skipInvalid) form.set('skip_invalid', 'true')
    const headers = { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }
    return this.#json<BroadcastDetail>('', { method: 'POST', form, headers, signal, repeatable: true })
  }

  /** A broadcast with its counts by outcome. */
  get(id: string, options: Options = {}): Promise<BroadcastDetail> {
    return this.#json(`/${encodeURIComponent(id)}`, options)
  }

  /** Broadcasts of this key, newest first; all of them with an administrator key. */
  async *list({ signal }: Options = {}): AsyncGenerator<Broadcast> {
    let cursor: string | undefined
    do {
      const query = { limit: perPage, cursor }
      const page = await this.#json<{ broadcasts: Broadcast[]; next_cursor: string | null }>('', { query, signal })
      yield* page.broadcasts
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  /** The recipients of a broadcast in the order of its list, each with the outcome of its fax. */
  async *recipients(id: string, { signal }: Options = {}): AsyncGenerator<BroadcastRecipient> {
    for (let after: number | null = 0; after !== null;) {
      const query = { limit: recipientsPerPage, after }
      type Page = { recipients: BroadcastRecipient[]; next_after: number | null }
      const page: Page = await this.#json<Page>(`/${encodeURIComponent(id)}/recipients`, { query, signal })
      yield* page.recipients
      after = page.next_after
    }
  }

  /** Begins no further fax of it. */
  pause(id: string, options: Options = {}): Promise<BroadcastDetail> {
    return this.#steer(id, 'pause', options)
  }

  /** Goes on with it. */
  resume(id: string, options: Options = {}): Promise<BroadcastDetail> {
    return this.#steer(id, 'resume', options)
  }

  /** Cancels what has not gone out, once and for all. */
  cancel(id: string, options: Options = {}): Promise<BroadcastDetail> {
    return this.#steer(id, 'cancel', options)
  }

  /** Sends its failed faxes again, as another broadcast: never those that were delivered or may have been. */
  resend(
    id: string,
    { idempotencyKey, allowUnlikelyNumber, ...options }: Options & Meant & { idempotencyKey?: string } = {},
  ): Promise<BroadcastDetail> {
    return this.#steer(id, 'resend', {
      json: { allow_unlikely_number: allowUnlikelyNumber },
      headers: { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() },
      ...options,
    })
  }

  /** The outcomes as CSV; also written to `path` when one is given. */
  async outcomes(id: string, { path, signal }: Options & { path?: string } = {}): Promise<string> {
    const response = await ask(this.#connection, `/fax/broadcasts/${encodeURIComponent(id)}/outcomes.csv`, { signal })
    const csv = await response.text()
    if (path !== undefined) await writePrivately(path, csv)
    return csv
  }

  // Doing it again changes nothing.
  #steer(id: string, verb: string, how: Ask): Promise<BroadcastDetail> {
    return this.#json(`/${encodeURIComponent(id)}/${verb}`, { method: 'POST', repeatable: true, ...how })
  }

  async #json<T>(path: string, how: Ask): Promise<T> {
    return (await (await ask(this.#connection, `/fax/broadcasts${path}`, how)).json()) as T
  }
}
