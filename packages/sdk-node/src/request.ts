import { pause } from './pause.ts'
import { ConnectionError, errorOf, GatewayError } from './problems.ts'

export interface Connection {
  baseUrl: string
  apiKey: string | undefined
  /** Milliseconds for one try. */
  timeout: number
  /** Tries after the first one. */
  retries: number
  fetch: typeof globalThis.fetch
}

export interface Ask {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** A list is given once for each of its values. */
  query?: Readonly<Record<string, string | number | readonly string[] | undefined>>
  form?: FormData
  json?: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Repeating it changes nothing, so it may be tried again. GET is by itself. */
  repeatable?: boolean
  /** Milliseconds since 1970 after which the caller no longer waits for another try. */
  until?: number
  /** Milliseconds for which the gateway may hold the answer back, beyond those for a try. */
  held?: number
  /** The answer does not end: only its beginning has to come in time. */
  endless?: boolean
}

const tooMany = 429
const worthRepeating = [tooMany, 502, 503, 504]
const firstPauseMs = 500
const longestPauseMs = 30_000
const spreadMs = 500
/** A gateway asks for a minute at most; a longer Retry-After is for the caller to plan with. */
const longestAskedMs = 5 * 60_000
/** So long a call gives way to others of its key: what is refused with 429 was not done, and is asked for again. */
const longestQueuedMs = 3_600_000
const redirects = [301, 302, 303, 307, 308]

/** The pause before the next try: all that the gateway asks for, else longer each time, with some chance in it. */
export function pauseMs(tried: number, problem: GatewayError | ConnectionError): number {
  const asked = 'retryAfterSeconds' in problem ? problem.retryAfterSeconds : undefined
  if (asked !== undefined) return asked * 1000
  return Math.min(firstPauseMs * 2 ** tried, longestPauseMs) * (0.5 + Math.random() / 2)
}

/** Where an answer points, without what may be secret in an address: user, password and query. */
function targetOf(response: Response, asked: URL): string {
  const location = response.headers.get('location') ?? ''
  if (location === '' || !URL.canParse(location, asked.href)) return 'another address'
  const { origin, pathname } = new URL(location, asked)
  return origin + pathname
}

/** Refuses to follow: the key and the document would go wherever the answer points. */
function assertNoRedirect(response: Response, asked: URL): void {
  const isOpaque = response.type === 'opaqueredirect'
  if (!isOpaque && !redirects.includes(response.status)) return
  const detail = `${asked.origin} redirected the request to ${targetOf(response, asked)}. The SDK does not follow redirects, so that your key and documents go nowhere else. If that is your gateway, set baseUrl to its address.`
  throw new GatewayError(response.status, { detail, code: 'redirected' })
}

/** An answer with its body, so that one that was cut off counts as none and is asked for again. */
async function whole(response: Response): Promise<Response> {
  const body = await response.arrayBuffer()
  return new Response(body.byteLength > 0 ? body : null, response)
}

async function tryOnce({ baseUrl, apiKey, timeout, fetch }: Connection, path: string, ask: Ask): Promise<Response> {
  const url = new URL(`${baseUrl}${path}`)
  for (const [name, value] of Object.entries(ask.query ?? {})) {
    for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one))
  }
  const late = new AbortController()
  const patience = late.signal
  const timer = setTimeout(() => late.abort(new DOMException('Too late.', 'TimeoutError')), timeout + (ask.held ?? 0))
  // Where Node runs it, a program may end before it.
  ;(timer as unknown as { unref?: () => void }).unref?.()
  try {
    const response = await fetch(url, {
      // Followed redirects would carry the key, and after a 307 the document, to another place.
      redirect: 'manual',
      method: ask.method ?? 'GET',
      headers: {
        ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
        ...(ask.json ? { 'content-type': 'application/json' } : {}),
        ...ask.headers,
      },
      signal: ask.signal ? AbortSignal.any([ask.signal, patience]) : patience,
      ...(ask.form ? { body: ask.form } : ask.json ? { body: JSON.stringify(ask.json) } : {}),
    })
    assertNoRedirect(response, url)
    return ask.endless ? response : await whole(response)
  } catch (error) {
    if (error instanceof GatewayError) throw error
    ask.signal?.throwIfAborted()
    const why = patience.aborted
      ? `did not answer within ${timeout / 1000} s`
      : `could not be reached (${error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error)})`
    throw new ConnectionError(`The gateway at ${baseUrl} ${why}.`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Asks the gateway, again where that is safe and of use.
 * @throws {GatewayError} what the gateway answered
 * @throws {ConnectionError} when no answer came
 */
export async function ask(connection: Connection, path: string, how: Ask = {}): Promise<Response> {
  const repeatable = how.repeatable ?? (how.method ?? 'GET') === 'GET'
  const queuedUntil = Date.now() + longestQueuedMs
  for (let tried = 0; ;) {
    let problem: GatewayError | ConnectionError
    try {
      const response = await tryOnce(connection, path, how)
      if (response.ok) return response
      problem = await errorOf(response)
      if (!worthRepeating.includes(response.status)) throw problem
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      problem = error
    }
    const wait = pauseMs(tried, problem)
    const isInTime = wait <= longestAskedMs && Date.now() + wait <= (how.until ?? Number.POSITIVE_INFINITY)
    // Nothing was done, so that every call may be made again; it has not failed, so that it does not count as a try.
    const isQueued = 'status' in problem && problem.status === tooMany && Date.now() < queuedUntil
    if (!isInTime || !(isQueued || (repeatable && tried < connection.retries))) throw problem
    if (!isQueued) tried++
    // Others of the key wait as well: not all come back in the same instant.
    await pause(isQueued ? wait + Math.random() * spreadMs : wait, how.signal)
  }
}
