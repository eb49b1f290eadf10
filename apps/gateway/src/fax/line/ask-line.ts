import { type Line, ProviderProblem } from '@faxdeck/provider-kit'
import type { FaxAttemptRow } from '../../base/db/tables/tables.ts'
import type { GatewayContext } from '../../base/context.ts'
import { Problem } from '../../base/http/answers/problem.ts'

const askTimeoutMs = 30_000

/**
 * Asks a provider about a fax, for half a minute at most, and not before a time that it named itself.
 * @returns undefined when it cannot be asked now, or cannot say
 */
export async function askLine<T>(
  { breakers }: Pick<GatewayContext, 'breakers'>,
  provider: string,
  signal: AbortSignal,
  question: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  if (breakers.quietUntil(provider)) return undefined
  try {
    return await question(AbortSignal.any([signal, AbortSignal.timeout(askTimeoutMs)]))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Error && error.name === 'TimeoutError') return undefined
    if (!(error instanceof ProviderProblem)) throw error
    breakers.heed(provider, error)
    return undefined
  }
}

/** A planned look at a provider, put off to the time before which it does not want to be asked. */
export function notBeforeQuiet({ breakers }: Pick<GatewayContext, 'breakers'>, provider: string, planned: Date): Date {
  const quiet = breakers.quietUntil(provider)
  return quiet && quiet > planned ? quiet : planned
}

/** The provider's line while it is set up; undefined when it is not, so that there is nobody to ask. */
export function lineOf(context: GatewayContext, provider: string): Line | undefined {
  try {
    return context.providers.line(provider)
  } catch (error) {
    if (error instanceof Problem && error.code === 'provider_not_configured') return undefined
    throw error
  }
}

/** Whether an attempt is known to have been made through another account. */
export const isOfAnother = (attempt: FaxAttemptRow, account: string | null): boolean =>
  attempt.account !== null && attempt.account !== account

/** Whether an attempt is known to have been made through another account than its provider is used with now. */
export const isElsewhere = ({ providers }: GatewayContext, attempt: FaxAttemptRow): boolean =>
  isOfAnother(attempt, providers.account(attempt.provider))

/** Shown when somebody cancels an attempt that only another account can stop. */
export function outOfReachSentence({ providers }: GatewayContext, { provider }: FaxAttemptRow): string {
  const name = providers.find(provider)?.name ?? provider
  return `The fax may still go out. It was sent to ${name} through a different account from the one set up now, so Faxdeck can’t stop it. Cancel it in that account.`
}

/** Shown for an attempt that the account in use knows nothing about. */
export function elsewhereSentence({ providers }: GatewayContext, { provider }: FaxAttemptRow): string {
  const name = providers.find(provider)?.name ?? provider
  return `The fax was sent to ${name} through a different account from the one set up now, so Faxdeck can’t find out its outcome. Look it up in that account, or ask the recipient, then decide.`
}
