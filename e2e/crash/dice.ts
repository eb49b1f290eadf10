/** Chance that can be repeated: the same seed throws the same. */
export interface Dice {
  /** A number from `low` up to, not including, `high`. */
  between: (low: number, high: number) => number
  /** True in `share` of the cases. */
  happens: (share: number) => boolean
}

/**
 * The generator mulberry32.
 * @param seed a 32-bit integer
 */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { between: (low, high) => low + next() * (high - low), happens: (share) => next() < share }
}
