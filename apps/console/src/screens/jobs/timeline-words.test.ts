import { describe, expect, it } from 'vitest'
import { hourOf, withHour } from './timeline-words.ts'

describe('a timeline sentence', () => {
  it('names the hour of the next try where the gateway speaks of it', () => {
    expect(withHour('Busy. Trying again, attempt 2 of 4.', '14:05')).toBe(
      'Busy. Trying again at 14:05, attempt 2 of 4.',
    )
  })

  it('names the hour at its end where it speaks of something else', () => {
    expect(withHour('The provider asks us to wait.', '14:05')).toBe('The provider asks us to wait. Next at 14:05.')
  })

  it('stays as it is without an hour', () => {
    expect(withHour('Delivered, 2 pages confirmed.', undefined)).toBe('Delivered, 2 pages confirmed.')
  })
})

describe('an hour', () => {
  it('names the day only when it is not today', () => {
    const now = new Date(2026, 10, 21, 14, 2)
    const short = hourOf(new Date(2026, 10, 21, 14, 5).toISOString(), now)
    const long = hourOf(new Date(2026, 10, 22, 14, 5).toISOString(), now)
    expect(short).toMatch(/05/)
    expect(short).not.toMatch(/21|Nov/)
    expect(long).toMatch(/22/)
    expect(long.length).toBeGreaterThan(short.length)
  })
})
