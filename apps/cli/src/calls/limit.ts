import { option } from '../command.ts'
import { usageFault } from '../fault.ts'

export const limit = option('<count>', 'How many to show, 1 to 200 (default 50).')
export const cursor = option('<cursor>', 'Continue where the last page ended.')

/** @throws {Fault} when it is no count from 1 to 200 */
export function limitOf(given: string | undefined): number {
  const count = Number(given ?? 50)
  if (!Number.isInteger(count) || count < 1 || count > 200) throw usageFault('--limit is a whole number from 1 to 200.')
  return count
}
