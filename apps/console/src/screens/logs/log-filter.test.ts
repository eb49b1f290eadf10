import type { TimeRange } from '../../ui/time-range.ts'
import { describe, expect, it } from 'vitest'
import { blankFields, fitting, parseSearch, requestOf, type LogFields } from './log-filter.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const fields = (change: Partial<LogFields>): LogFields => ({ ...blankFields, ...change })
const ask = (change: Partial<LogFields>) => requestOf(fields(change), now)
const entries = [
  { ts: '2026-03-01T11:00:00.000Z', event: 'job_failed', job_id: 'ABC123', error: 'No answer at 10:30' },
  { ts: '2026-03-01T10:00:00.000Z', event: 'job_created', job_id: 'def456', backend: 'testline' },
  { ts: '2026-03-01T09:00:00.000Z', event: 'action_ended', code: 0, changed: ['a', 'b'] },
]
const found = (change: Partial<LogFields>) => fitting(entries, fields(change)).map(({ event }) => event)

describe('the search of the logs', () => {
  it('takes tokens and words apart; keys are lower case, values may hold colons and blanks', () => {
    expect(parseSearch('Job_ID:abc late  error:10:30 status:"no answer" night http://x.org 12:30')).toEqual({
      tokens: [
        { key: 'job_id', value: 'abc' },
        { key: 'error', value: '10:30' },
        { key: 'status', value: 'no answer' },
      ],
      words: 'late night http://x.org 12:30',
    })
    expect(parseSearch('  ')).toEqual({ tokens: [], words: '' })
  })

  it('lets a token fit where its value is part of the fact, in any case', () => {
    expect(found({ search: 'JOB_ID:abc' })).toEqual(['job_failed'])
    expect(found({ search: 'error:10:30' })).toEqual(['job_failed'])
    expect(found({ search: 'event:JOB' })).toEqual(['job_failed', 'job_created'])
    expect(found({ search: 'event:job backend:line' })).toEqual(['job_created'])
    expect(found({ search: 'code:0' })).toEqual(['action_ended'])
    expect(found({ search: 'changed:b' })).toEqual(['action_ended'])
    expect(found({ search: 'nothing:x' })).toEqual([])
    expect(found({ search: 'words alone' })).toHaveLength(3)
  })

  it('puts the event field above an event: token', () => {
    expect(found({ search: 'event:created', event: 'job_failed' })).toHaveLength(3)
    expect(ask({ search: 'event:created', event: ' job_failed ' })).toMatchObject({ event: 'job_failed' })
    expect(ask({ search: 'event:created', event: 'job_failed' })).not.toHaveProperty('q')
  })

  it('asks for the words, else for what the first token must hold', () => {
    expect(ask({ search: 'job_id:abc no answer' })).toMatchObject({ q: 'no answer' })
    expect(ask({ search: 'job_id:abc' })).toMatchObject({ q: 'abc' })
    for (const search of ['ts:2026', 'changed:"a,b"', 'error:"é"', '']) expect(ask({ search })).not.toHaveProperty('q')
  })

  it('counts times from now, and leaves out an invalid custom date', () => {
    const since = (range: TimeRange['range'], from = '') => ask({ since: { range, from, to: '' } }).since
    expect(since('5m')).toBe('2026-03-01T11:55:00.000Z')
    expect(since('15m')).toBe('2026-03-01T11:45:00.000Z')
    expect(since('1h')).toBe('2026-03-01T11:00:00.000Z')
    expect(since('24h')).toBe('2026-02-28T12:00:00.000Z')
    expect(since('30d')).toBe('2026-01-30T12:00:00.000Z')
    expect(since('custom', '2026-01-01T08:30')).toBe(new Date('2026-01-01T08:30').toISOString())
    for (const from of ['', 'yesterday', '2026-99-99T00:00']) expect(since('custom', from)).toBeUndefined()
    expect(since('', '2026-01-01T08:30')).toBeUndefined()
  })

  it('falls back to 200 entries and 2000 lines, and asks for no more than the gateway gives', () => {
    expect(ask({})).toMatchObject({ limit: 200, lines: 2000 })
    expect(ask({ limit: 'many', lines: '-3' })).toMatchObject({ limit: 200, lines: 2000 })
    expect(ask({ limit: '5000', lines: '90000' })).toMatchObject({ limit: 1000, lines: 20_000 })
    expect(ask({ limit: '7', lines: '8' })).toMatchObject({ limit: 7, lines: 8 })
  })
})
