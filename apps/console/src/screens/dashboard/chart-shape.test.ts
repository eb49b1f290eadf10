import { describe, expect, it } from 'vitest'
import { durationInWords, successRate } from '../../ui/words/figures.ts'
import { chart, lineOf, roundUp, scaleOf, type Slot, slotAt, stackOf } from './chart-shape.ts'

const slot = (change: Partial<Slot>): Slot => ({
  hour: '2026-01-01T00:00:00.000Z',
  delivered: 0,
  failed: 0,
  received: 0,
  ...change,
})

describe('the chart', () => {
  it.each([
    [0, 1],
    [1, 1],
    [7, 8],
    [9, 10],
    [11, 20],
    [61, 80],
    [1001, 2000],
  ])('has a scale for %i that ends at %i', (value, top) => {
    expect(roundUp(value)).toBe(top)
  })

  it('never divides by nothing, and has room for both outcomes together', () => {
    expect(scaleOf([])).toBe(1)
    expect(scaleOf([slot({ delivered: 6, failed: 5 })])).toBe(20)
  })

  it('makes one fax among thousands visible, and none invisible', () => {
    expect(stackOf(slot({ failed: 1 }), 0, 24, 5000).failed.height).toBe(2)
    expect(stackOf(slot({}), 0, 24, 5000).delivered.height).toBe(0)
  })

  it('stacks failed upon delivered, inside its slot and its drawing', () => {
    const { delivered, failed } = stackOf(slot({ delivered: 5000, failed: 1 }), 23, 24, 5000)
    expect(failed.y + failed.height).toBe(delivered.y)
    expect(failed.y).toBe(0)
    expect(delivered.x + delivered.width).toBeLessThan(chart.width)
  })

  it('draws the line through the middle of each slot', () => {
    expect(lineOf([slot({}), slot({ received: 10 })], 10)).toBe('180,120 540,0')
  })

  it('finds the slot that is pointed at, also at the very edge', () => {
    expect([-0.1, 0, 0.5, 1, 1.2].map((place) => slotAt(place, 24))).toEqual([0, 0, 12, 23, 23])
  })

  it('says how many arrived and how long that took', () => {
    expect([successRate({ delivered: 999, failed: 1 }), successRate({ delivered: 9999, failed: 1 })]).toEqual([
      '99.9%',
      '99.9%',
    ])
    expect([successRate({ delivered: 3, failed: 0 }), successRate({ delivered: 0, failed: 0 })]).toEqual(['100%', '—'])
    expect([41.6, 185, 7800].map(durationInWords)).toEqual(['42 s', '3 min 5 s', '2 h 10 min'])
  })
})
