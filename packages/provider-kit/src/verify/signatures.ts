import { hash, timingSafeEqual } from 'node:crypto'

/** Whether two texts are the same, in a time that does not reveal how much of them is. */
export function equalInConstantTime(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** The parts in order of their names, as signatures want them; parts of one name stay in order of arrival. */
export function byName<T extends readonly [name: string, value: string]>(parts: readonly T[]): T[] {
  return [...parts].sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
}
