import type { Host } from '../provider.ts'
import { parseJson, readFields } from './read-fields.ts'
import { fitsHeader, reasonOf, type Unreachable, unreachableBy } from './reason.ts'

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

/** What came back from the address. */
export interface Answer {
  status: number
  /** The JSON that came; undefined when it was not JSON. */
  body: unknown
  /** It was a page for people. */
  isPage: boolean
  /** The host that a redirect leads to. */
  leadsTo: string | undefined
}

/** Why no answer came, as a sentence. `unsayable`: nobody was asked, because no header can hold the credentials. */
export interface Silence {
  problem: string
  why: Unreachable | 'unsayable'
}

export type Answered = Answer | Silence

/** Asks a provider's API once. Never throws, and never repeats what was sent. */
export async function askProvider(question: Question, host: Host, signal: AbortSignal): Promise<Answered> {
  const { name, url, authorization, form } = question
  if (!fitsHeader.test(authorization)) {
    return {
      problem: `${name} was not contacted: the credentials contain characters that can’t be sent.`,
      why: 'unsayable',
    }
  }
  const init = {
    headers: { authorization, accept: 'application/json' },
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  }
  return askAddress(name, url, init, host, signal)
}

/** Makes one request and reads what comes back. Never throws, and never repeats what was sent. @param name who is asked */
export async function askAddress(
  name: string,
  url: string,
  init: RequestInit,
  host: Pick<Host, 'fetch'>,
  signal: AbortSignal,
): Promise<Answered> {
  try {
    return await answerOf(await host.fetch(url, { ...init, signal }), url)
  } catch (error) {
    const place = URL.parse(url)?.host ?? 'its address'
    const problem = `${name} cannot be reached at ${place}: ${reasonOf(error, signal)}.`
    return { problem, why: unreachableBy(error, signal) }
  }
}

const looksLikePage = /^\s*<(!doctype html|html|head|body)\b/i

/** Reads an answer to its end. */
export async function answerOf(response: Response, url: string): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  const isPage = (headers.get('content-type') ?? '').startsWith('text/html') || looksLikePage.test(text)
  const isRedirect = status >= 300 && status < 400
  return {
    status,
    body: parseJson(text),
    isPage,
    leadsTo: isRedirect ? URL.parse(headers.get('location') ?? '', url)?.host : undefined,
  }
}

/** A field of a JSON answer; undefined if there is none. */
export function fieldOf(answered: Answered, field: string): unknown {
  return 'body' in answered ? readFields(answered.body)?.value(field) : undefined
}
