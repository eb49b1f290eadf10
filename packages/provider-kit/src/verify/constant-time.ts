import { hash, timingSafeEqual } from 'node:crypto'

/** Whether two texts are the same, in a time that does not reveal how much of them is. */
export function equalInConstantTime(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
