import { describe, expect, it } from 'vitest'
import { asQuery, blankFilter, isBlank } from './job-filter.ts'

describe('the filter of the jobs list', () => {
  it('asks only for what is set', () => {
    expect(asQuery(blankFilter)).toEqual({})
    expect(asQuery({ ...blankFilter, q: ' 0123 ', status: 'FAILED', backend: 'sinch' })).toEqual({
      q: '0123',
      status: 'FAILED',
      backend: 'sinch',
    })
  })

  it('is blank until something is set', () => {
    expect(isBlank(blankFilter)).toBe(true)
    expect(isBlank({ ...blankFilter, to: '2026-11-20' })).toBe(false)
  })

  it('means whole days of the viewer', () => {
    expect(asQuery({ ...blankFilter, from: '2026-11-20', to: '2026-11-20' })).toEqual({
      from: new Date(2026, 10, 20).toISOString(),
      to_date: new Date(2026, 10, 20, 23, 59, 59, 999).toISOString(),
    })
  })

  it('ignores a day that is not whole', () => {
    expect(asQuery({ ...blankFilter, from: '2026-11' })).toEqual({})
  })
})
