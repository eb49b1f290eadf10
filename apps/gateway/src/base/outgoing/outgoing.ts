import { Readable } from 'node:stream'

interface Deadline {
  signal: AbortSignal
  /** The time counts from now. */
  renew: () => void
  /** Nothing of it stays: a timer that outlives its request is garbage that lives for a minute. */
  end: () => void
}

/** A signal that aborts after a while, as AbortSignal.timeout does, or with the one that is given. */
export function deadline(ms: number, given?: AbortSignal | null): Deadline {
  const abort = new AbortController()
  const follow = () => abort.abort(given?.reason)
  const late = () => abort.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const timer = setTimeout(late, ms).unref()
  if (given?.aborted) follow()
  else given?.addEventListener('abort', follow, { once: true })
  return {
    signal: abort.signal,
    renew: () => void timer.refresh(),
    end: () => {
      clearTimeout(timer)
      given?.removeEventListener('abort', follow)
    },
  }
}

/** A request as it is written to the wire. */
interface Outgoing {
  url: URL
  method: string
  headers: Record<string, string>
  body: Buffer | null
}

const usual = { accept: '*/*', 'user-agent': 'Faxdeck' }

/** What was given to fetch, as the built-in Request reads it. */
export async function outgoingOf(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Outgoing> {
  const request = new Request(input, init)
  const { url, method } = request
  const body = request.body ? Buffer.from(await request.arrayBuffer()) : null
  // A body that comes in pieces has its length all the same: not every provider takes one of unknown length.
  const length: Record<string, string> = body ? { 'content-length': String(body.length) } : {}
  return { url: new URL(url), method, headers: { ...usual, ...Object.fromEntries(request.headers), ...length }, body }
}

/** Bytes that are handed to the connection at once. */
const pieceBytes = 64 * 1024
/** Bytes a second of the slowest way to a provider that documents are still sent on: 128 kbit/s. */
const slowestUpload = 16 * 1024

/** Milliseconds that a document may take to go out. */
export const uploadMs = (bytes: number): number => (bytes / slowestUpload) * 1000

/** A body in pieces, each of which is asked for when the connection has room for it. @param onPiece hears that it goes on */
export function inPieces(body: Buffer, onPiece: () => void): Buffer | Readable {
  if (body.length <= pieceBytes) return body
  function* pieces() {
    for (let at = 0; at < body.length; at += pieceBytes) {
      onPiece()
      yield body.subarray(at, at + pieceBytes)
    }
  }
  return Readable.from(pieces(), { highWaterMark: 1 })
}
