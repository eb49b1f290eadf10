import type { FailureKind, Job } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { addJob } from '../../../demo/faxes/fake-jobs.ts'
import { emptyWorld } from '../../../demo/world.ts'
import { outcomeWords, remedies, remedyOf } from './outcome-words.ts'

const fax = (fields: Partial<Job>): Job => addJob(emptyWorld(), '+15555550123', { test: false, ...fields }).job
const sentenceOf = (fields: Partial<Job>) => outcomeWords(fax(fields))?.sentence

describe('the outcome of a fax in words', () => {
  it('says when it was delivered, and how many pages the other machine confirmed', () => {
    const ended = { status: 'SUCCESS', pages: 4 } as const
    expect(sentenceOf({ ...ended, pages_confirmed: 4 })).toMatch(/^Delivered at \d\d:\d\d\. 4 of 4 pages confirmed\.$/)
    expect(sentenceOf({ ...ended, pages_confirmed: null })).toMatch(/^Delivered at \d\d:\d\d\. 4 pages\.$/)
    const long = { ...ended, updated_at: '2020-03-01T12:00:00.000Z', pages: 1, pages_confirmed: null }
    expect(sentenceOf(long)).toMatch(/^Delivered on .*Mar.* 1 page\.$/)
  })

  it('never says of a test that it was delivered', () => {
    expect(sentenceOf({ status: 'SUCCESS', test: true, pages_confirmed: 1 })).toBe('The test passed.')
  })

  it('says when it is tried again, and that nobody need do anything', () => {
    const waiting = fax({
      status: 'in_progress',
      error: 'Busy. Retrying, attempt 2 of 4.',
      next_try_at: new Date(Date.now() + 60_000).toISOString(),
    })
    expect(outcomeWords(waiting)).toEqual({
      sentence: expect.stringMatching(/^Busy\. Retrying (at|on) .*, attempt 2 of 4\.$/),
      next: 'No action needed: Faxdeck retries automatically.',
    })
    expect(sentenceOf({ status: 'in_progress', attempt_count: 2 })).toBe('Sending now: attempt 2 of 4.')
    expect(sentenceOf({ status: 'in_progress', attempt_count: 2, max_attempts: null })).toBe('Sending now: attempt 2.')
    expect(sentenceOf({})).toBe('Waiting to be sent.')
  })

  it('names the next step for every kind of failure but a cancel', () => {
    for (const kind of Object.keys(remedies) as FailureKind[]) {
      const words = outcomeWords(fax({ status: 'FAILED', error: 'It failed.', error_kind: kind }))
      expect(words?.sentence).toBe('It failed.')
      expect(Boolean(words?.next), kind).toBe(kind !== 'cancelled')
    }
  })

  it('leaves a fax that waits for a person to the question that asks them', () => {
    expect(outcomeWords(fax({ status: 'in_progress', actions: ['refresh', 'resolve'] }))).toBeUndefined()
  })
})

describe('what is offered first for a fax that failed', () => {
  it('is another number where the number is wrong, and to send again only where that helps', () => {
    expect(remedyOf({ error_kind: 'bad_number' }).first).toBe('another')
    expect(remedyOf({ error_kind: 'busy' }).first).toBe('again')
    expect(remedyOf({ error_kind: 'bad_document' }).first).toBeUndefined()
    expect(remedyOf({ error_kind: 'cancelled' }).first).toBeUndefined()
  })
})
