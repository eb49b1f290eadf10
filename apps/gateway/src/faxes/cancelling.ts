import type { FaxDoors } from './doors.ts'

const underWay = new WeakMap<FaxDoors, Set<string>>()

/** Whether a person's wish to cancel this attempt is with its provider just now. */
export const isBeingCancelled = (doors: FaxDoors, attemptId: string): boolean =>
  underWay.get(doors)?.has(attemptId) ?? false

/** Notes for as long as the work lasts that an attempt is being cancelled. */
export async function whileCancelling<T>(doors: FaxDoors, attemptId: string, work: () => Promise<T>): Promise<T> {
  const attempts = underWay.get(doors) ?? new Set<string>()
  underWay.set(doors, attempts.add(attemptId))
  try {
    return await work()
  } finally {
    attempts.delete(attemptId)
  }
}
