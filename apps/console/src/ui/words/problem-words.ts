import type { CallProblem } from '@faxdeck/contract/client'

interface Words {
  /** What failed. */
  what: string
  why: string
  /** What to do about it. */
  advice: string
  /** The fields that were refused, when the answer names them. */
  fields: { field: string; message: string }[]
  requestId: string | undefined
  /** Where the documentation of this gateway says more. */
  about?: string
}

/** The documentation lies beside the console. */
const aboutCode = (code: string) =>
  `${/^(.*)\/admin-demo\//.exec(location.pathname)?.[1] ?? ''}/docs/latest/reference/errors/#${code}`

const isCallProblem = (error: Error): error is CallProblem => error.name === 'CallProblem'

/** Refusals whose own sentence says what to do. */
const sayAll = new Set([
  'sign_in_refused',
  'second_step_refused',
  'sign_in_expired',
  'passkey_refused',
  'invitation_refused',
])

function adviceFor({ status, retryAfterSeconds, answer }: CallProblem): string {
  if (status === 0) return 'Check that Faxdeck is running and reachable, then retry.'
  if (status === 401) return 'Log in again.'
  if (sayAll.has(answer?.code ?? '')) return ''
  if (status === 403) return 'Log in with a key that has this permission, or ask your administrator.'
  if (status === 404) return 'It may have been removed. Refresh the list.'
  if (status === 409) return 'Refresh to see the current state, then decide.'
  if (status === 429)
    return `Wait ${retryAfterSeconds ?? 60} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}, then retry.`
  if (answer?.code === 'provider_not_configured') return 'Complete its settings under Settings, then try again.'
  if (status < 500) return 'Fix the problem above and try again.'
  if (!answer?.request_id) return 'Try again. If it keeps failing, check the gateway log.'
  return 'Try again. If it keeps failing, search the gateway log for this request ID.'
}

/** A failure in words: what failed, why, what to do. */
export function wordsOf(error: Error): Words {
  if (error.name === 'PasskeyProblem')
    return { what: 'The passkey was not used', why: error.message, advice: '', fields: [], requestId: undefined }
  if (!isCallProblem(error)) {
    const advice = 'Reload the page. If this happens again, report it to your administrator.'
    return { what: 'Something went wrong in the console', why: error.message, advice, fields: [], requestId: undefined }
  }
  const { answer, status, failure, message } = error
  const short = status === 0 ? 'The gateway did not answer.' : message
  // One field whose fault the reason holds would say it twice; several are easier to read as a list.
  const given = answer?.fields ?? []
  const isSaid = ({ message: fault }: (typeof given)[number]) => answer?.detail.includes(fault) === true
  const isListed = given.length > 1 && given.every(isSaid) && given.every(({ message }) => message !== answer?.detail)
  const fields = isListed ? given : given.filter((field) => !isSaid(field))
  const why = answer && !isListed ? `${answer.detail} (${message})` : short
  const about = answer?.code && aboutCode(answer.code)
  return { what: failure, why, advice: adviceFor(error), fields, requestId: answer?.request_id, about }
}

/** The same in one line, for a snackbar. */
export function sentenceOf(error: Error): string {
  const { what, why } = wordsOf(error)
  return `${what}: ${why}`
}
