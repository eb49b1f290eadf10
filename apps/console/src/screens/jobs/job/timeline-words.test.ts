import { describe, expect, it } from 'vitest'
import { toneOf, withHour } from './timeline-words.ts'

describe('a timeline sentence', () => {
  it('names the hour of the next try where the gateway speaks of it', () => {
    expect(withHour('Busy. Retrying, attempt 2 of 4.', '14:05')).toBe('Busy. Retrying at 14:05, attempt 2 of 4.')
    expect(withHour('Busy. Trying again, attempt 2 of 4.', '14:05')).toBe(
      'Busy. Trying again at 14:05, attempt 2 of 4.',
    )
    expect(withHour('No answer. Retrying, attempt 2 of 3.', '22 Nov 00:05')).toBe(
      'No answer. Retrying on 22 Nov 00:05, attempt 2 of 3.',
    )
  })

  it('names the hour at its end where it speaks of something else', () => {
    expect(withHour('The provider asks us to wait.', '14:05')).toBe(
      'The provider asks us to wait. Next attempt at 14:05.',
    )
  })

  it('stays as it is without an hour', () => {
    expect(withHour('Delivered, 2 pages confirmed.', undefined)).toBe('Delivered, 2 pages confirmed.')
  })
})

describe('an event', () => {
  it.each([
    ['delivered', 'ok'],
    ['failed', 'bad'],
    ['retry_scheduled', 'warn'],
    ['uncertain', 'warn'],
    ['accepted', 'info'],
    ['resolved', 'info'],
  ])('%s is marked %s', (event, tone) => {
    expect(toneOf(event)).toBe(tone)
  })
})
