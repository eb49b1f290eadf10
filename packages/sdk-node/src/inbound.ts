import { writePrivately } from './files.ts'
import { ask, type Connection } from './request.ts'
import type { InboundFax } from './shapes.ts'

interface Options {
  signal?: AbortSignal
}

const perPage = 100

/** The bytes of an answer, also written to a file that only this user may read. */
export async function saved(response: Response, path: string | undefined): Promise<Uint8Array> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (path !== undefined) await writePrivately(path, bytes)
  return bytes
}

/** Received faxes. */
export class Inbound {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Received faxes, newest first. */
  async *list({ signal }: Options = {}): AsyncGenerator<InboundFax> {
    let cursor: string | undefined
    for (;;) {
      const query = { limit: perPage, cursor }
      const page = (await (await ask(this.#connection, '/inbound', { query, signal })).json()) as InboundFax[]
      yield* page
      if (page.length < perPage) return
      cursor = page.at(-1)?.cursor
    }
  }

  /** The document of a received fax, a PDF; also written to `path` when one is given. */
  async download(id: string, { path, signal }: Options & { path?: string } = {}): Promise<Uint8Array> {
    return saved(await ask(this.#connection, `/inbound/${encodeURIComponent(id)}/pdf`, { signal }), path)
  }
}
