import type { GatewayContext } from '../../base/context.ts'
import type { Database } from '../../base/db/database.ts'

const underWay = new WeakMap<Database, Set<string>>()

/** Whether a person's wish to cancel this attempt is with its provider just now. */
export const isBeingCanceled = ({ database }: GatewayContext, attemptId: string): boolean =>
  underWay.get(database)?.has(attemptId) ?? false

/** Notes for as long as the work lasts that an attempt is being canceled. */
export async function whileCanceling<T>(
  { database }: GatewayContext,
  attemptId: string,
  work: () => Promise<T>,
): Promise<T> {
  const attempts = underWay.get(database) ?? new Set<string>()
  underWay.set(database, attempts.add(attemptId))
  try {
    return await work()
  } finally {
    attempts.delete(attemptId)
  }
}
