import { beforeEach, describe, expect, it } from 'vitest'
import { asQuery, blankFilter, isBlank, keepFilter, readFilter } from './job-filter.ts'

beforeEach(() => sessionStorage.clear())

describe('the filter of the jobs list', () => {
  it('is kept for the session', () => {
    const filter = { ...blankFilter, q: '0123', status: 'attention' as const, from: '2026-11-01' }
    keepFilter(filter)
    expect(readFilter()).toEqual(filter)
  })

  it('is blank where nothing readable was kept', () => {
    expect(isBlank(readFilter())).toBe(true)
    sessionStorage.setItem('faxdeck-jobs-filter', '{"status":"nonsense","q":7}')
    expect(readFilter()).toEqual(blankFilter)
    sessionStorage.setItem('faxdeck-jobs-filter', '{')
    expect(readFilter()).toEqual(blankFilter)
  })

  it('asks only for what is set', () => {
    expect(asQuery(blankFilter)).toEqual({})
    expect(asQuery({ ...blankFilter, q: ' 0123 ', status: 'FAILED', backend: 'sinch' })).toEqual({
      q: '0123',
      status: 'FAILED',
      backend: 'sinch',
    })
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
