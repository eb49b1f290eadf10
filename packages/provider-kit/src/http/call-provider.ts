import { parseJson } from './read-fields.ts'
import { type Host, ProviderProblem } from '../provider.ts'
import { fitsHeader, neverLeft, reasonOf } from './reason.ts'

/** One request to a provider's API. */
export interface ProviderCall {
  /** Whom is asked, for people. */
  name: string
  url: string
  authorization: string
  /** GET when there is no body, else POST. */
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: URLSearchParams | FormData
  /** Sent as `application/json`, in place of a body. */
  json?: unknown
}

/** What a provider answered. */
export interface ProviderAnswer {
  status: number
  /** The JSON that came; undefined when it was not JSON. */
  body: unknown
  /** What `Retry-After` says (RFC 9110, 10.2.3), an hour at most. */
  retryAfterSeconds: number | undefined
}

const longestPauseSeconds = 3600

function retryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now.getTime()) / 1000)
  return seconds > 0 ? Math.min(seconds, longestPauseSeconds) : undefined
}

/** What is sent, and its type where it does not follow from the content. */
function saidIn({ body, json }: ProviderCall): Pick<RequestInit, 'body'> & { type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' }
  return body === undefined ? {} : { body }
}

function requestOf(call: ProviderCall, signal: AbortSignal): RequestInit {
  const { method, authorization } = call
  const { type, ...said } = saidIn(call)
  return {
    method: method ?? (said.body === undefined ? 'GET' : 'POST'),
    headers: { authorization, accept: 'application/json', ...(type === undefined ? {} : { 'content-type': type }) },
    signal,
    ...said,
  }
}

/**
 * Makes one request; any status is an answer.
 * @param name whom is asked, for people
 * @throws {ProviderProblem} `unreachable` when no connection came about, so that the request was never seen; `uncertain`
 * when it broke afterwards
 */
export async function exchange(
  name: string,
  url: string,
  init: RequestInit & { signal: AbortSignal },
  host: Pick<Host, 'fetch' | 'now'>,
): Promise<ProviderAnswer> {
  const { signal } = init
  const at = URL.parse(url)?.host ?? 'its address'
  const response = await host.fetch(url, init).catch((error: unknown) => {
    const reason = reasonOf(error, signal)
    throw neverLeft(error)
      ? new ProviderProblem('unreachable', `${name} cannot be reached at ${at}: ${reason}.`)
      : new ProviderProblem('uncertain', `${name} did not answer at ${at}: ${reason}.`)
  })
  const text = await response.text().catch((error: unknown) => {
    const reason = reasonOf(error, signal)
    throw new ProviderProblem('uncertain', `The response from ${name} was cut off: ${reason}.`)
  })
  const { status, headers } = response
  return { status, body: parseJson(text), retryAfterSeconds: retryAfter(headers.get('retry-after'), host.now()) }
}

/**
 * Asks a provider's API once; any status is an answer.
 * @throws {ProviderProblem} as `exchange`, and `bad_credentials` when the credentials cannot be said
 */
export async function callProvider(
  call: ProviderCall,
  host: Pick<Host, 'fetch' | 'now'>,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const { name, url, authorization } = call
  if (!fitsHeader.test(authorization)) {
    throw new ProviderProblem(
      'bad_credentials',
      `${name} was not contacted: the credentials contain characters that can’t be sent.`,
    )
  }
  return exchange(name, url, { ...requestOf(call, signal), signal }, host)
}

/**
 * An answer other than 2xx as a problem. A refusal (4xx) promises that nothing was taken. So does a 503 by which the API
 * itself, in its own form of a refusal, asks to come again; one of a proxy before it does not, which may have passed the
 * request on: Varnish, for one, says when to come again on its page about a broken connection behind it.
 * @param words the provider's own sentence, from the place where its API has it, when it gave one
 * @param what was refused, when it was not the fax
 */
export function refusalOf(name: string, answer: ProviderAnswer, words?: string, what = 'the fax'): ProviderProblem {
  const { status, retryAfterSeconds } = answer
  const own = words === undefined ? '' : ` ${name} says: ${asSentence(words)}`
  if (status === 401 || status === 403) {
    return new ProviderProblem('bad_credentials', `${name} refused the credentials (${status}).${own}`)
  }
  if (status === 429) {
    return new ProviderProblem('rate_limited', `${name} received too many requests (429).${own}`, retryAfterSeconds)
  }
  if (status === 503 && retryAfterSeconds !== undefined && words !== undefined) {
    return new ProviderProblem('unreachable', `${name} takes no faxes now (503).${own}`, retryAfterSeconds)
  }
  // 408: it did not get all of the request in time, which need not be true of what it acted upon.
  if (status >= 400 && status < 500 && status !== 408) {
    return new ProviderProblem('rejected', `${name} refused ${what} (${status}).${own}`)
  }
  return new ProviderProblem('uncertain', `${name} answered with the status ${status}.${own}`)
}

/** A provider's words, bounded and ended as a sentence. */
export function asSentence(words: string): string {
  const text = words.replace(/\s+/g, ' ').trim().slice(0, 300)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
