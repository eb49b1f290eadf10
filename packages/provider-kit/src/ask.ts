import type { Finding, Host } from './provider.ts'
import { fitsHeader, reasonOf } from './reason.ts'

/** The authorization header of RFC 7617. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

interface Question {
  /** Whom is asked, for people. */
  name: string
  url: string
  authorization: string
  /** Fields of a form to be posted; without them it is a GET. */
  form?: Readonly<Record<string, string>>
}

/** What came back: a status and the JSON, undefined when it is none; or why nothing did, as a sentence. */
export type Answered = { status: number; body: unknown } | { trouble: string; asked: boolean }

/** Asks a provider's API once. Never throws, and never repeats what was sent. */
export async function askProvider(question: Question, host: Host, signal: AbortSignal): Promise<Answered> {
  const { name, url, authorization, form } = question
  if (!fitsHeader.test(authorization)) {
    return { trouble: `${name} was not asked: no credential has such characters.`, asked: false }
  }
  try {
    const response = await host.fetch(url, {
      headers: { authorization, accept: 'application/json' },
      signal,
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: parsed(text) }
  } catch (error) {
    const host = URL.parse(url)?.host ?? 'its address'
    return { trouble: `${name} cannot be reached at ${host}: ${reasonOf(error, signal)}.`, asked: true }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (body: unknown): body is Record<string, unknown> => typeof body === 'object' && body !== null

/** A field of a JSON answer; undefined when there is none. */
export function fieldOf(answered: Answered, field: string): unknown {
  return 'body' in answered && isObject(answered.body) ? answered.body[field] : undefined
}

/** Whether the provider answered 2xx, and what it answered otherwise. Silence says nothing about an account. */
export function acceptedBy(name: string, answered: Answered): Finding {
  const instead = {
    hint: `${name} did not say whether it accepts the account: see that this machine reaches ${name}, then try again.`,
  }
  if ('trouble' in answered) return { passed: false, detail: answered.trouble, ...(answered.asked && { instead }) }
  const { status } = answered
  if (status >= 200 && status < 300) return { passed: true }
  if (status === 401 || status === 403) return { passed: false, detail: `${name} refused the credentials (${status}).` }
  if (status === 429) {
    return { passed: false, detail: `${name} was asked too often (429). Try again in a minute.`, instead }
  }
  return { passed: false, detail: `${name} answered with the status ${status}.`, ...(status >= 500 && { instead }) }
}
