import { describe, expect, it } from 'vitest'
import { barOf, chart, hourAt, lineOf, roundUp, scaleOf, type Hour } from './chart-shape.ts'

const hours = (received: number[]): Hour[] =>
  received.map((count) => ({ hour: '2026-01-01T00:00:00.000Z', delivered: 0, failed: 0, received: count }))

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

  it('never divides by nothing', () => {
    expect(scaleOf([])).toBe(1)
    expect(scaleOf(hours([0, 0]))).toBe(1)
  })

  it('makes one fax among thousands visible, and none invisible', () => {
    expect(barOf(1, 0, 0, 5000).height).toBe(2)
    expect(barOf(0, 0, 0, 5000).height).toBe(0)
  })

  it('keeps every bar inside its hour', () => {
    const last = barOf(10, 23, 1, 10)
    expect(last.x + last.width).toBeLessThan(chart.width)
    expect(last).toMatchObject({ y: 0, height: chart.height })
    const left = barOf(1, 5, 0, 10)
    expect(left.x + left.width).toBeLessThanOrEqual(barOf(1, 5, 1, 10).x)
  })

  it('draws the line through the middle of each hour', () => {
    expect(lineOf(hours([0, 10]), 10)).toBe('15,120 45,0')
  })

  it('finds the hour that is pointed at, also at the very edge', () => {
    expect([-0.1, 0, 0.5, 1, 1.2].map(hourAt)).toEqual([0, 0, 12, 23, 23])
  })
})
