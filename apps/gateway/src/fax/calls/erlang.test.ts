import { describe, expect, it } from 'vitest'
import { blocking, linesFor } from './line-hours.ts'

/** The formula itself, with its factorials. */
function byDefinition(lines: number, erlangs: number): number {
  const term = (n: number): number => (n === 0 ? 1 : (term(n - 1) * erlangs) / n)
  const all = Array.from({ length: lines + 1 }, (_, n) => term(n)).reduce((sum, each) => sum + each, 0)
  return term(lines) / all
}

describe('Erlang B', () => {
  it('is what its definition says', () => {
    for (const erlangs of [0.01, 0.5, 3, 12.5])
      for (const lines of [1, 2, 5, 20, 60])
        expect(blocking(lines, erlangs)).toBeCloseTo(byDefinition(lines, erlangs), 12)
  })

  // As printed in tables of the formula.
  it.each([
    [0.0101, 1],
    [0.153, 2],
    [1.36, 5],
    [4.46, 10],
    [12.03, 20],
    [84.06, 100],
  ])('needs for %d erlangs at 1 %% blocking %d lines', (erlangs, lines) => {
    expect(linesFor(erlangs * 0.995, 0.01)).toBe(lines)
    expect(linesFor(erlangs * 1.005, 0.01)).toBe(lines + 1)
  })

  it('needs a line for no traffic', () => {
    expect(linesFor(0, 0.01)).toBe(1)
  })
})
