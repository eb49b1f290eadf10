import { usageFault } from './fault.ts'

export const limit = {
  type: 'string',
  value: '<count>',
  help: 'At most so many, 1 to 200; 50 when it is not given.',
} as const
export const cursor = { type: 'string', value: '<cursor>', help: 'Go on where the last page ended.' } as const

/** @throws {Fault} when it is no count from 1 to 200 */
export function limitOf(given: string | undefined): number {
  const count = Number(given ?? 50)
  if (!Number.isInteger(count) || count < 1 || count > 200) throw usageFault('--limit is a whole number from 1 to 200.')
  return count
}
