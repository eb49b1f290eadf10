import { Problem } from '../../../base/http/answers/problem.ts'

/** How openid-client names what is wrong with an answer; only those a person can do something about. */
const sentences: Readonly<Record<string, string>> = {
  OAUTH_TIMEOUT: 'The sign-in provider did not answer in time. Try again shortly.',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED:
    'The sign-in provider’s answer has expired or is not valid yet. Sign in again. If this keeps happening, compare the clocks.',
}
const unbelievable = 'The sign-in provider’s answer could not be verified, so nobody was signed in. Sign in again.'
const away = 'The sign-in provider can’t be reached or doesn’t answer as it should. Try again shortly.'

const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z_]{1,60}$/.test(value) ? value : undefined
const fieldOf = (error: unknown, name: string): unknown =>
  error instanceof Error ? (error as unknown as Record<string, unknown>)[name] : undefined

/** What is recorded about a failure: codes alone, never a token, a code or what the provider wrote. */
export function codesOf(error: unknown): { name: string; code?: string; error?: string } {
  const code = wordOf(fieldOf(error, 'code'))
  const said = wordOf(fieldOf(error, 'error'))
  const name = error instanceof Error ? error.name : 'unknown'
  return { name, ...(code === undefined ? {} : { code }), ...(said === undefined ? {} : { error: said }) }
}

/** @param isStart whether the provider was only asked who it is */
export function refusalOf(error: unknown, isStart = false): Problem {
  if (error instanceof Problem) return error
  const { code = '', error: said } = codesOf(error)
  if (said === 'access_denied') return new Problem('sign_in_refused', 'The sign-in was canceled at the provider.')
  if (said !== undefined)
    return new Problem('sign_in_refused', `The sign-in provider refused (${said}). Sign in again.`)
  if (code === 'OAUTH_TIMEOUT') return new Problem('unavailable', sentences[code])
  if (isStart || code === '' || !code.startsWith('OAUTH_')) return new Problem('unavailable', away)
  return new Problem('sign_in_refused', sentences[code] ?? unbelievable)
}
