import { asSentence, type ProviderAnswer, ProviderProblem, refusalOf, type StatusUpdate } from '@faxdeck/provider-kit'
import type { Action } from './action.ts'
import { readWord } from './words.ts'

/** The value at a way such as `data.faxes[0].id`; undefined when there is none. */
function readPath(body: unknown, way: string): unknown {
  const steps = way.match(/\w+/g) ?? []
  return steps.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    return Reflect.get(value, step)
  }, body)
}

function textAt(body: unknown, way: string | undefined, max: number): string | undefined {
  const value = way === undefined ? undefined : readPath(body, way)
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value)
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  return text === '' ? undefined : text.slice(0, max)
}

/** Takes credentials out of what a provider said, should it repeat them. */
export type Redact = (words: string) => string

export function redactorOf(secrets: readonly string[]): Redact {
  const hidden = secrets.filter((secret) => secret.length >= 4)
  return (words) => hidden.reduce((text, secret) => text.replaceAll(secret, '***'), words)
}

/** The provider's own sentence, at the way of the manifest. */
function wordsOf({ response }: Action, body: unknown, redact: Redact): string | undefined {
  const words = textAt(body, response.error, 1000)
  return words === undefined ? undefined : redact(words).slice(0, 300)
}

/** An answer other than 2xx as a problem; a redirect may well come after the fax was taken. */
export function problemOf(name: string, action: Action, answer: ProviderAnswer, redact: Redact): ProviderProblem {
  const { status } = answer
  if (status >= 300 && status < 400) {
    return new ProviderProblem('uncertain', `${name} answered with a redirect (${status}), which is never followed.`)
  }
  return refusalOf(name, answer, wordsOf(action, answer.body, redact))
}

/** The provider's id of the fax. @throws {ProviderProblem} `uncertain`: it may have taken what it gave no id */
export function idOf(name: string, { response }: Action, { status, body }: ProviderAnswer): string {
  const id = textAt(body, response.job_id, 200)
  if (id !== undefined) return id
  throw new ProviderProblem(
    'uncertain',
    `${name} answered with the status ${status} and no id at "${response.job_id}". It’s unknown whether the fax was accepted.`,
  )
}

/** What an answer says of which fax it is about. */
export function identityOf({ response }: Action, body: unknown): Pick<StatusUpdate, 'providerId' | 'to' | 'reference'> {
  const providerId = textAt(body, response.job_id, 200)
  const [to, reference] = [textAt(body, response.to, 60), textAt(body, response.reference, 200)]
  return { ...(providerId ? { providerId } : {}), ...(to ? { to } : {}), ...(reference ? { reference } : {}) }
}

/** What an answer says about the fax; undefined when no status stands where the manifest says. */
export function updateOf(name: string, action: Action, body: unknown, redact: Redact): StatusUpdate | undefined {
  const { response } = action
  const word = textAt(body, response.status, 60)
  if (word === undefined) return undefined
  const { state, kind } = readWord(response.status_map, word)
  const pages = Number(textAt(body, response.pages, 10))
  const confirmed = Number.isInteger(pages) && pages >= 0 ? { pagesConfirmed: pages } : {}
  if (state !== 'failed') return { state, word, ...(state === 'delivered' ? confirmed : {}) }
  const own = wordsOf(action, body, redact)
  const sentence = `${name} reports that the fax failed (${word}).${own === undefined ? '' : ` ${asSentence(own)}`}`
  return { state, word, sentence, ...(kind ? { kind } : {}), ...confirmed }
}
