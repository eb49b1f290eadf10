import { usageFault } from '../fault.ts'

export const limit = {
  type: 'string',
  value: '<count>',
  help: 'How many to show, 1 to 200 (default 50).',
} as const
export const cursor = { type: 'string', value: '<cursor>', help: 'Continue where the last page ended.' } as const

/** @throws {Fault} when it is no count from 1 to 200 */
export function limitOf(given: string | undefined): number {
  const count = Number(given ?? 50)
  if (!Number.isInteger(count) || count < 1 || count > 200) throw usageFault('--limit is a whole number from 1 to 200.')
  return count
}
