import type { JobSummary } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { countArrivals, pageAt, rowsOf, withNewest, withRows, type JobPage, type JobPages } from './job-pages.ts'

/** A job made `minute` minutes into the day; later is newer. */
function job(minute: number, change: Partial<JobSummary> = {}): JobSummary {
  const at = new Date(Date.UTC(2026, 10, 21, 0, minute)).toISOString()
  return {
    id: minute.toString(16).padStart(32, '0'),
    recipient: null,
    file_name: null,
    key_id: 'bootstrap',
    key_name: null,
    to_number: '********0123',
    status: 'queued',
    needs_attention: false,
    held: null,
    waiting_for: null,
    backend: 'testline',
    test: true,
    pages: 1,
    error: null,
    error_kind: null,
    attempt_count: 0,
    next_try_at: null,
    group_id: null,
    actions: [],
    resent_as: null,
    resend_refusal: null,
    reference: null,
    metadata: {},
    created_at: at,
    updated_at: at,
    ...change,
  }
}

const page = (minutes: number[], next: string | null = null): JobPage => ({
  jobs: minutes.map((minute) => job(minute)),
  total: minutes.length,
  total_is_minimum: false,
  next_cursor: next,
})
const listed = (...pages: JobPage[]): JobPages => ({
  pages,
  pageParams: ['', 'c1', 'c2'].slice(0, pages.length),
})
const minutesOf = (pages: JobPages) => rowsOf(pages).map((row) => new Date(row.created_at).getUTCMinutes())

describe('rows', () => {
  it('keep the order of the pages and count a repeated job once', () => {
    expect(minutesOf(listed(page([9, 8, 7], 'c1'), page([7, 6])))).toEqual([9, 8, 7, 6])
  })
})

describe('newer facts', () => {
  it('change rows in place without adding any', () => {
    const before = listed(page([9, 8], 'c1'), page([7]))
    const after = withRows(before, [job(7, { status: 'SUCCESS' }), job(12)])
    expect(minutesOf(after)).toEqual([9, 8, 7])
    expect(rowsOf(after)[2]?.status).toBe('SUCCESS')
  })

  it('leave the list itself alone when nothing changed', () => {
    const before = listed(page([9, 8]))
    expect(withRows(before, [job(9), job(8)])).toBe(before)
  })
})

describe('arrivals', () => {
  it('are the jobs above the list, not those that merely left or joined below', () => {
    const before = listed(page([9, 8, 6], 'c1'))
    expect(countArrivals(before, page([11, 10, 9, 8, 7], 'c'))).toBe(2)
    expect(countArrivals(before, page([9, 8, 6], 'c'))).toBe(0)
  })

  it('are all jobs when the list was empty', () => {
    expect(countArrivals(listed(page([])), page([2, 1]))).toBe(2)
  })
})

describe('bringing the list up to date', () => {
  it('puts arrivals on top, drops jobs that left the filter, and keeps the pages below', () => {
    const before = listed(page([9, 8, 7, 6], 'c1'), page([5, 4], 'c2'))
    const after = withNewest(before, page([10, 9, 7], 'n1'))
    expect(minutesOf(after)).toEqual([10, 9, 7, 6, 5, 4])
    expect(after.pages[0]?.next_cursor).toBe('c1')
    expect(after.pageParams).toEqual(['', 'c1'])
  })

  it('keeps a job of the same instant as the last one covered', () => {
    const twin = { ...job(7), id: 'f'.repeat(32) }
    const before = listed({ ...page([9, 8, 7], 'c1'), jobs: [job(9), job(8), job(7), twin] })
    expect(rowsOf(withNewest(before, page([9, 8, 7], 'n1')))).toHaveLength(4)
  })

  it('starts anew when the newest page no longer meets the rows already read', () => {
    const after = withNewest(listed(page([9, 8], 'c1'), page([7])), page([30, 29], 'n1'))
    expect(minutesOf(after)).toEqual([30, 29])
    expect(after.pageParams).toEqual([''])
  })

  it('takes the newest page alone when it is the whole list', () => {
    expect(minutesOf(withNewest(listed(page([9, 8], 'c1')), page([9])))).toEqual([9])
    expect(minutesOf(withNewest(listed(page([9])), page([])))).toEqual([])
  })
})

describe('the page of a row', () => {
  it('is found by counting rows', () => {
    const list = listed(page([9, 8, 7], 'c1'), page([6, 5], 'c2'), page([4]))
    expect([0, 2, 3, 4, 5, 99].map((row) => pageAt(list, row))).toEqual([0, 0, 1, 1, 2, 2])
  })
})
