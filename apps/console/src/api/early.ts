interface EarlyCalls {
  key: string
  /** By path; each is taken once. */
  answers: Map<string, Promise<Response>>
}

declare global {
  var faxdeckEarly: EarlyCalls | undefined
}

/** Milliseconds after the start of the page in which an early answer still says how things are. */
const fresh = 5_000

/**
 * Hands over the answer to a call that `early.js` has made before the console was here.
 * @returns undefined when there is none, or only one for another key or of some time ago
 */
export function takeEarly(path: string, init: RequestInit = {}): Promise<Response> | undefined {
  const early = globalThis.faxdeckEarly
  const answer = early?.answers.get(path)
  if (!early || !answer) return undefined
  early.answers.delete(path)
  const sameKey = new Headers(init.headers).get('x-api-key') === early.key
  return sameKey && performance.now() < fresh ? answer : undefined
}
