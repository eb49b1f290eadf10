import { type Host, reasonOf } from '@faxdeck/provider-kit'

/** Whether this gateway answers under its public address, and what was seen. */
export interface OwnAnswer {
  passed: boolean
  /** One sentence. */
  detail: string
}

/** Asks the public address for its health, from inside: a pass does not prove the way from outside. Never throws. */
export async function askOurselves(
  { fetch, publicUrl }: Pick<Host, 'fetch' | 'publicUrl'>,
  signal: AbortSignal,
): Promise<OwnAnswer> {
  try {
    const response = await fetch(`${publicUrl}/health`, { signal })
    const answer: unknown = await response.json().catch(() => undefined)
    const alive = typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'ok'
    if (response.ok && alive) return { passed: true, detail: `${publicUrl} answers from here.` }
    return {
      passed: false,
      detail: `${publicUrl}/health answered with the status ${response.status}, not as Faxdeck does.`,
    }
  } catch (error) {
    return { passed: false, detail: `${publicUrl} cannot be reached from here: ${reasonOf(error, signal)}.` }
  }
}
