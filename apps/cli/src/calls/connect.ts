import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient, wireCalls } from '@faxdeck/contract'
import type { Environment } from '../environment.ts'
import { exitCodes } from '../exit-codes.ts'
import { Fault, usageFault } from '../fault.ts'

const usualUrl = 'http://127.0.0.1:8080'
/** Milliseconds for one request: a large document has to be read by the gateway before it answers. */
const patienceMs = 120_000
const pausesMs = [500, 1000, 2000]
/** A gateway asks for a minute at most; a longer Retry-After is reported instead of waited for. */
const longestAskedMs = 5 * 60_000
const redirects = [301, 302, 303, 307, 308]
/** Nobody is there, and nothing was handed over. */
const nobody = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'])

/**
 * The address without a slash at its end.
 * @throws {Fault} if it is not a URL
 */
export function urlOf(given: string | undefined, env: Environment): string {
  const url = (given ?? (env['FAXDECK_URL'] || usualUrl)).replace(/\/+$/, '')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw usageFault(`"${url}" is not a gateway URL; it must start with http:// or https://, such as ${usualUrl}.`)
  }
  return url
}

export function dataDirectoryOf(given: string | undefined, env: Environment): string {
  return resolve(given ?? (env['FAX_DATA_DIR']?.trim() || 'faxdata'))
}

const isHere = (url: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)

/** The key given, or the first key of a gateway on this machine. That one is never sent to another machine. */
export function keyOf(given: string | undefined, env: Environment, url: string, directory: string): string | undefined {
  const named = given ?? (env['FAXDECK_API_KEY']?.trim() || undefined)
  if (named !== undefined || !isHere(url)) return named
  try {
    return readFileSync(join(directory, 'bootstrap-key'), 'utf8').trim() || undefined
  } catch {
    // Without it the gateway says that a key is needed.
    return undefined
  }
}

function causeOf(error: unknown): { code: string; words: string } {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error
  if (!(cause instanceof Error)) return { code: '', words: String(cause) }
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
  return { code, words: code === 'TimeoutError' ? `no answer within ${patienceMs / 1000} s` : cause.message || code }
}

/** How long to wait before the same request; undefined when it should not be repeated. */
function pauseFor(response: Response, tried: number): number | undefined {
  const asked = Number(response.headers.get('retry-after') ?? Number.NaN)
  // Nothing was done, and nothing failed: the call gives way to others of its key.
  if (response.status === 429 && asked * 1000 <= longestAskedMs) return asked * 1000
  const passing = [429, 502, 504].includes(response.status) || (response.status === 503 && Number.isFinite(asked))
  const usual = pausesMs[tried]
  if (!passing || usual === undefined) return undefined
  if (!Number.isFinite(asked)) return usual
  return asked * 1000 <= longestAskedMs ? asked * 1000 : undefined
}

/** Refuses to follow: the key and the document would go wherever the answer points. @throws {Fault} */
function assertNoRedirect(response: Response, url: string): void {
  if (!redirects.includes(response.status)) return
  const location = response.headers.get('location') ?? ''
  const { origin, pathname } = new URL(URL.canParse(location, url) ? new URL(location, url) : url)
  const target = location === '' ? 'another address' : origin + pathname
  throw new Fault(
    `${url} redirected the request to ${target}. Redirects are not followed, so that your key and documents go nowhere else. If that is your gateway, give its address with --url or FAXDECK_URL.`,
    exitCodes.unreachable,
    { code: 'redirected' },
  )
}

/** Repeats what may be repeated: what only reads, and what carries an idempotency key. */
function patientFetch(url: string, failed: (fault: Fault) => void): typeof globalThis.fetch {
  return async (input, init) => {
    const repeatable = (init?.method ?? 'GET') === 'GET' || new Headers(init?.headers).has('idempotency-key')
    for (let tried = 0; ; tried++) {
      try {
        const signal = init?.signal ?? AbortSignal.timeout(patienceMs)
        const response = await fetch(input, { ...init, redirect: 'manual', signal })
        assertNoRedirect(response, url)
        const isQueued = response.status === 429
        const wait = repeatable || isQueued ? pauseFor(response, tried) : undefined
        if (wait === undefined) return response
        if (isQueued) tried--
        await response.body?.cancel()
        await pause(wait)
      } catch (error) {
        if (error instanceof Fault) {
          failed(error)
          throw error
        }
        const { code, words } = causeOf(error)
        const wait = repeatable && !nobody.has(code) ? pausesMs[tried] : undefined
        if (wait === undefined) {
          const sentence = `The gateway at ${url} cannot be reached (${words}). Start it, or say where it is with --url or FAXDECK_URL.`
          failed(new Fault(sentence, exitCodes.unreachable))
          throw error
        }
        await pause(wait)
      }
    }
  }
}

/** Opens a stream of server-sent events, which does not end by itself. @throws {Fault | CallProblem} */
export type OpenStream = (path: string, lastId: string | undefined) => Promise<ReadableStream<Uint8Array>>

/** Streams of a gateway, with the key that its calls have. */
export function streams(url: string, key: () => string | undefined): OpenStream {
  const open = patientFetch(url, () => undefined)
  return async (path, lastId) => {
    const token = key()
    const headers = {
      ...(token === undefined ? {} : { 'x-api-key': token }),
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    }
    const response = await open(`${url}${path}`, { headers, signal: new AbortController().signal })
    if (response.ok && response.body) return response.body
    const answer = (await response.json().catch(() => null)) as { detail?: string; code?: string } | null
    const exitCode = [401, 403].includes(response.status)
      ? exitCodes.forbidden
      : [502, 503, 504].includes(response.status)
        ? exitCodes.unreachable
        : exitCodes.failed
    throw new Fault(answer?.detail ?? `The gateway answered ${response.status}.`, exitCode, {
      code: answer?.code ?? '',
    })
  }
}

/** The calls of a gateway. @throws {Fault} from each, when nobody answers */
export function connect(url: string, key: () => string | undefined): Client {
  let fault: Fault | undefined
  const keep = (last: Fault) => (fault = last)
  const onProblem = (problem: { status: number }) => {
    if (problem.status === 0 && fault) throw fault
  }
  return createClient(wireCalls(), { baseUrl: url, key, fetch: patientFetch(url, keep), onProblem })
}
