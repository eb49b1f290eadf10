import { randomFillSync } from 'node:crypto'

const drawn = Buffer.alloc(4096)
let used = drawn.length

/**
 * Random bytes as hexadecimal digits, for names that nobody else may have: drawn many at a time, which costs
 * less. Not for secrets: the next ones lie in memory.
 */
export function randomHex(bytes: number): string {
  if (used + bytes > drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += bytes
  return drawn.toString('hex', used - bytes, used)
}
