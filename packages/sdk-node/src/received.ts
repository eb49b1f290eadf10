import { arrivals } from './events.ts'
import { saved } from './inbound.ts'
import { pause } from './pause.ts'
import { ConnectionError, GatewayError } from './problems.ts'
import { ask, type Ask, type Connection } from './request.ts'
import type { ReceivedFax, ReceivedFilter } from './shapes.ts'

interface Options {
  signal?: AbortSignal
}

const perPage = 100
const awayMs = 5000
const passing = [429, 502, 503, 504]

const pathOf = (id: string) => `/received/${encodeURIComponent(id)}`
const isPassing = (error: unknown) =>
  error instanceof ConnectionError || (error instanceof GatewayError && passing.includes(error.status))

/** Received faxes, as the key sees them. */
export class Received {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Received faxes, newest first unless `order` says otherwise, page after page as they are asked for. */
  async *list(filter: ReceivedFilter = {}, { signal }: Options = {}): AsyncGenerator<ReceivedFax> {
    let cursor = filter.cursor
    do {
      const query = { limit: perPage, ...filter, cursor }
      const page = await this.#json<{ faxes: ReceivedFax[]; next_cursor: string | null }>('/received', {
        query,
        signal,
      })
      yield* page.faxes
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  /**
   * Every received fax once it is complete, oldest first, and then what arrives. Keep the `cursor` of the last fax that
   * you dealt with and give it as `after` to go on there. A gateway that is away is waited for.
   * @throws {GatewayError} when the gateway refuses
   * @throws {ConnectionError} when it cannot be reached to begin with
   */
  async *follow({ after, signal }: Options & { after?: string } = {}): AsyncGenerator<ReceivedFax> {
    let [cursor, isFirst] = [after, true]
    for (;;) {
      const signs = arrivals(this.#connection, signal)
      try {
        // The list is the truth: the stream only says when to look at it.
        while (!(await signs.next()).done) {
          isFirst = false
          for await (const fax of this.list({ order: 'oldest', ...(cursor && { cursor }) }, signal ? { signal } : {})) {
            yield fax
            cursor = fax.cursor ?? cursor
          }
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (isFirst || !isPassing(error)) throw error
      } finally {
        await signs.return(undefined)
      }
      await pause(awayMs, signal)
    }
  }

  /** One received fax. */
  get(id: string, options: Options = {}): Promise<ReceivedFax> {
    return this.#json(pathOf(id), options)
  }

  /**
   * The document of a received fax; also written to `path` when one is given. `pdf` has the recognized text and is the
   * usual format; `original` is as it arrived.
   */
  async download(
    id: string,
    { format, path, signal }: Options & { format?: 'pdf' | 'tiff' | 'original' | 'text'; path?: string } = {},
  ): Promise<Uint8Array> {
    return saved(await ask(this.#connection, `${pathOf(id)}/document`, { query: { format }, signal }), path)
  }

  /** Marks a fax as read, or as unread. */
  markRead(id: string, read = true, options: Options = {}): Promise<ReceivedFax> {
    return this.#json(`${pathOf(id)}/read`, { method: 'POST', json: { read }, repeatable: true, ...options })
  }

  /** Deletes the document of a fax. Needs a key that was created with `received_delete`. */
  delete(id: string, options: Options = {}): Promise<ReceivedFax> {
    return this.#json(pathOf(id), { method: 'DELETE', ...options })
  }

  /** The documents of several faxes as a zip; also written to `path` when one is given. */
  async archive(ids: readonly string[], { path, signal }: Options & { path?: string } = {}): Promise<Uint8Array> {
    const how = { method: 'POST', json: { ids }, repeatable: true, signal } as const
    return saved(await ask(this.#connection, '/received/archive', how), path)
  }

  async #json<T>(path: string, how: Ask): Promise<T> {
    return (await (await ask(this.#connection, path, how)).json()) as T
  }
}
