import { describe, expect, it } from 'vitest'
import type { ChainHead } from '../../base/events/chain.ts'
import { thinned } from './marks.ts'

const mark = (seq: number): ChainHead => ({ seq, hash: '' })

describe('the marks of a copy', () => {
  it('stay few, and reach back to within a small multiple of any distance', () => {
    for (const step of [1, 3, 500]) {
      let marks: ChainHead[] = []
      let widest = 0
      for (let seq = step; seq <= 4000 * step; seq += step) {
        marks = thinned([...marks, mark(seq)])
        expect(marks.length).toBeLessThanOrEqual(2 * Math.log2(seq + 1) + 2)
        for (const [at, { seq: later }] of marks.entries()) {
          const before = marks[at - 1]?.seq ?? 0
          // What lies between two marks is sent again when the later one does not fit.
          widest = Math.max(widest, (seq - before) / (seq - later + step))
        }
      }
      expect(marks.at(-1)).toEqual(mark(4000 * step))
      expect(widest).toBeLessThan(8)
    }
  })

  it('of one entry, or none, are kept', () => {
    expect(thinned([])).toEqual([])
    expect(thinned([mark(7)])).toEqual([mark(7)])
  })
})
