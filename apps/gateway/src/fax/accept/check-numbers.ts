import type { GatewayContext } from '../../base/context.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { readNumber } from '../../base/number.ts'
import { findUnlikely } from './unlikely.ts'

interface Doubt {
  /** As given. */
  to: string
  reason: string
}

/** Of typed numbers those that no number can be, and those that are most likely nobody's. */
export async function checkNumbers(
  context: GatewayContext,
  typed: readonly string[],
): Promise<{ invalid: Doubt[]; unlikely: Doubt[] }> {
  const { default_country: country } = context.settings.current()
  const invalid: Doubt[] = []
  const read = new Map<string, string>()
  for (const to of typed) {
    try {
      read.set(to, readNumber(to, country))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      invalid.push({ to, reason: error.message })
    }
  }
  const reasons = await findUnlikely(context, [...read.values()])
  const unlikely = [...read].flatMap(([to, number]) => {
    const reason = reasons.get(number)
    return reason === undefined ? [] : [{ to, reason }]
  })
  return { invalid, unlikely }
}
