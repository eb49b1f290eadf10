import type { GuardedFetch } from './guarded-fetch.ts'
import { FetchRefused } from './answer.ts'
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** A secret of 256 random bits, as Standard Webhooks writes it: `whsec_` and base64. */
export const newSecret = () => prefix + randomBytes(32).toString('base64')

/**
 * The headers that prove where a message comes from (Standard Webhooks 1.0.0): HMAC-SHA256 of id, time and body, one
 * signature per secret.
 * @param at the instant of this try
 */
export function signedHeaders(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': secrets.map(sign).join(' ') }
}

/** What became of one try. */
export interface Outcome {
  /** Of the answer; null when none came. */
  status: number | null
  retryAfter: string | null
  /** Null when the receiver took the message. */
  error: string | null
  /** The beginning of the answer; null when it had none. */
  body: string | null
}

interface Sending {
  id: string
  url: string
  body: string
  /** In the clear. */
  secrets: readonly string[]
  at: Date
}

const longestMs = 15_000

function sentenceOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'No response within 15 seconds.'
  const cause = error instanceof Error ? error.cause : undefined
  const refusal = [error, cause].find((each) => each instanceof FetchRefused)
  if (refusal instanceof Error) return refusal.message
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return `The address could not be reached${code}.`
}

/** An answer as it can be stored and shown: PostgreSQL takes no NUL in a text. */
const shownText = (answer: string) => answer.replaceAll('\0', '\uFFFD') || null

/** Makes one try. @throws the signal's reason when it is aborted */
export async function sendMessage(
  fetch: GuardedFetch['fetch'],
  { id, url, body, secrets, at }: Sending,
  signal: AbortSignal,
): Promise<Outcome> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Faxdeck-Webhooks/1',
    ...signedHeaders(id, at, body, secrets),
  }
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
    const response = await fetch(url, { method: 'POST', headers, body, signal: limits })
    const { status, ok } = response
    const error = ok ? null : `The endpoint answered ${status}.`
    const text = await response.text().catch(() => '')
    return { status, retryAfter: response.headers.get('retry-after'), error, body: shownText(text) }
  } catch (error) {
    signal.throwIfAborted()
    return { status: null, retryAfter: null, error: sentenceOf(error), body: null }
  }
}
