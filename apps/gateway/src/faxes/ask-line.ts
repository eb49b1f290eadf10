import { ProviderProblem } from '@faxdeck/provider-kit'
import type { GatewayContext } from '../context.ts'

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
