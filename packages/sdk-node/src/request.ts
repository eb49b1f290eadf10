import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionError, errorOf, type GatewayError } from './problems.ts'

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
  method?: 'GET' | 'POST'
  query?: Readonly<Record<string, string | number | undefined>>
  form?: FormData
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Repeating it changes nothing, so it may be tried again. GET is by itself. */
  repeatable?: boolean
}

const worthRepeating = [429, 502, 503, 504]
const firstPauseMs = 500
const longestPauseMs = 30_000

/** The pause before the next try: what the gateway asks for, else longer each time, with some chance in it. */
function pauseMs(tried: number, problem: GatewayError | ConnectionError): number {
  const asked = 'retryAfterSeconds' in problem ? problem.retryAfterSeconds : undefined
  if (asked !== undefined) return Math.min(asked * 1000, longestPauseMs)
  return Math.min(firstPauseMs * 2 ** tried, longestPauseMs) * (0.5 + Math.random() / 2)
}

async function tryOnce({ baseUrl, apiKey, timeout, fetch }: Connection, path: string, ask: Ask): Promise<Response> {
  const url = new URL(`${baseUrl}${path}`)
  for (const [name, value] of Object.entries(ask.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const patience = AbortSignal.timeout(timeout)
  try {
    return await fetch(url, {
      method: ask.method ?? 'GET',
      headers: { ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }), ...ask.headers },
      signal: ask.signal ? AbortSignal.any([ask.signal, patience]) : patience,
      ...(ask.form ? { body: ask.form } : {}),
    })
  } catch (error) {
    ask.signal?.throwIfAborted()
    const why = patience.aborted
      ? `did not answer within ${timeout / 1000} s`
      : `could not be reached (${error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error)})`
    throw new ConnectionError(`The gateway at ${baseUrl} ${why}.`, { cause: error })
  }
}

/**
 * Asks the gateway, again where that is safe and of use.
 * @throws {GatewayError} what the gateway answered
 * @throws {ConnectionError} when no answer came
 */
export async function ask(connection: Connection, path: string, how: Ask = {}): Promise<Response> {
  const repeatable = how.repeatable ?? (how.method ?? 'GET') === 'GET'
  for (let tried = 0; ; tried++) {
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
    if (!repeatable || tried >= connection.retries) throw problem
    await pause(pauseMs(tried, problem), undefined, how.signal ? { signal: how.signal } : {})
  }
}
