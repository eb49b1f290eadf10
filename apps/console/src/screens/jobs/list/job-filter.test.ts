import { describe, expect, it } from 'vitest'
import { asQuery, blankFilter, isBlank, namedList, readFilter, writeFilter } from './job-filter.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')

describe('the filter of the jobs list', () => {
  it('asks only for what is set', () => {
    expect(asQuery(blankFilter, now)).toEqual({})
    expect(asQuery({ ...blankFilter, q: ' 0123 ', status: 'FAILED', backend: 'sinch' }, now)).toEqual({
      q: '0123',
      status: 'FAILED',
      backend: 'sinch',
    })
  })

  it('is blank until something is set', () => {
    expect(isBlank(blankFilter)).toBe(true)
    expect(isBlank({ ...blankFilter, range: '24h' })).toBe(false)
  })

  it('counts relative times from now, and takes instants of the viewer’s clock', () => {
    expect(asQuery({ ...blankFilter, range: '1h' }, now)).toEqual({ from: '2026-11-20T11:00:00.000Z' })
    const custom = { ...blankFilter, range: 'custom', from: '2026-11-20T08:00', to: '2026-11-20T09:30' } as const
    expect(asQuery({ ...custom, time: 'ended' }, now)).toEqual({
      from: new Date(2026, 10, 20, 8).toISOString(),
      to_date: new Date(2026, 10, 20, 9, 30).toISOString(),
      time: 'ended',
    })
  })

  it('ignores an instant that is not whole', () => {
    expect(asQuery({ ...blankFilter, range: 'custom', from: '2026-11' }, now)).toEqual({})
  })

  it('can be written into an address and read again, without its search', () => {
    const filter = { ...blankFilter, q: 'Doe', status: 'FAILED', range: '7d', backend: 'a&b' } as const
    expect(writeFilter(filter)).not.toContain('Doe')
    expect(readFilter(writeFilter(filter))).toEqual({ ...filter, q: '' })
    expect(readFilter('status=nonsense&range=forever&more=1')).toEqual(blankFilter)
  })

  it('is opened by name, and an id is no name', () => {
    expect(namedList('failed')).toEqual({ ...blankFilter, status: 'FAILED' })
    expect(namedList('list?status=SUCCESS&time=ended')).toMatchObject({ status: 'SUCCESS', time: 'ended' })
    expect(namedList('3f2a9c0b7d5e41868a1c6f0e92b4d7a5')).toBeUndefined()
  })
})
