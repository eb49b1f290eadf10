import { failureKinds } from '@faxdeck/contract/failure-kinds'
import { describe, expect, it } from 'vitest'
import { faxState, retryWords, shortCause } from './fax-words.ts'

const failed = { status: 'FAILED', held: null, test: false, needs_attention: false, waiting_for: null } as const

describe('the short cause of a failure', () => {
  it.each([
    ['busy', 'The line was busy.', 'Busy'],
    ['bad_number', 'There is no such number.', 'Not in service'],
    ['bad_number', 'The number has changed.', 'Number changed'],
    ['line_error', 'Somebody answered, but no fax machine was heard. Check the number.', 'No fax machine heard'],
    ['line_error', 'A person answered the call.', 'Voice answered'],
    ['line_error', 'The call could not be put through.', 'Not put through'],
    ['partial', 'The call was cut off after 2 pages.', 'Cut off'],
  ] as const)('of %s, %s is %s', (error_kind, error, words) => {
    expect(shortCause({ ...failed, error_kind, error })).toBe(words)
  })

  it('fits its column, for every kind', () => {
    for (const error_kind of failureKinds)
      expect(shortCause({ ...failed, error_kind, error: 'A sentence.' })).toMatch(/^(?!A sentence).{3,21}$/)
  })

  it('is the sentence of a failure without a kind, and nothing of a fax that arrived', () => {
    expect(shortCause({ ...failed, error_kind: null, error: 'An old sentence.' })).toBe('An old sentence.')
    expect(shortCause({ ...failed, status: 'SUCCESS', error_kind: null, error: null })).toBe('')
  })

  it('says what to look at where a delivery is in doubt', () => {
    const doubted = { ...failed, status: 'SUCCESS', needs_attention: true, error_kind: null } as const
    expect(shortCause({ ...doubted, error: 'The fax was delivered more than once: by attempts 1 and 2.' })).toBe(
      'Delivered twice',
    )
    expect(shortCause({ ...doubted, error: 'The provider confirmed only 1 of 2 pages.' })).toBe('Check the pages')
  })
})

describe('the state of a fax', () => {
  it('is in progress only while something moves', () => {
    const next_try_at = '2026-11-26T13:27:00Z'
    expect(faxState({ status: 'in_progress' })).toBe('in_progress')
    expect(faxState({ status: 'in_progress', next_try_at })).toBe('retry')
    expect(faxState({ status: 'in_progress', next_try_at, needs_attention: true })).toBe('Unconfirmed')
    expect(faxState({ status: 'FAILED', needs_attention: true })).toBe('Partial')
    expect(faxState({ status: 'queued', next_try_at, held: {} })).toBe('Held')
  })

  it('waits for its provider where that takes no faxes', () => {
    const waiting = {
      ...failed,
      status: 'queued',
      error_kind: null,
      error: 'Waiting: No calls at night.',
      waiting_for: 'Phaxio',
    } as const
    expect(faxState(waiting)).toBe('waiting')
    expect(shortCause(waiting)).toBe('Waiting for Phaxio')
    expect(faxState({ ...waiting, waiting_for: null })).toBe('queued')
  })

  it('names the time of the next attempt, on another day the day', () => {
    const today = new Date()
    today.setHours(13, 27)
    expect(retryWords(today.toISOString())).toBe('Retry 13:27')
    expect(retryWords('2020-03-04T12:00:00Z')).toMatch(/^Retry \D*4\D* 2020|^Retry .*2020$/)
  })
})
