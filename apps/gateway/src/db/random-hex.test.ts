import { expect, it } from 'vitest'
import { randomHex } from './random-hex.ts'

it('draws other digits each time, as many as were asked for', () => {
  const drawn = Array.from({ length: 5000 }, (_, index) => randomHex(index % 2 === 0 ? 16 : 6))
  expect(new Set(drawn).size).toBe(drawn.length)
  expect(drawn.every((each, index) => /^[0-9a-f]+$/.test(each) && each.length === (index % 2 === 0 ? 32 : 12))).toBe(
    true,
  )
  const counts = Map.groupBy(drawn.join(''), (digit) => digit)
  expect(counts.size).toBe(16)
  for (const { length } of counts.values()) expect(length).toBeGreaterThan(5000)
})
