import { describe, expect, it } from 'vitest'
import { dayStarts, periodOf } from './period.ts'

describe('the beginning of a day', () => {
  it.each([
    ['UTC', '2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['Europe/Berlin', '2026-01-15', '2026-01-14T23:00:00.000Z'],
    ['Europe/Berlin', '2026-07-15', '2026-07-14T22:00:00.000Z'],
    // Clocks change at 02:00: the day itself begins by the old time, the next by the new one.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['Asia/Kolkata', '2026-05-05', '2026-05-04T18:30:00.000Z'],
    ['Pacific/Auckland', '2026-01-01', '2025-12-31T11:00:00.000Z'],
    // At midnight the clocks jump to 01:00: that is where the day begins.
    ['Africa/Cairo', '2025-04-25', '2025-04-24T22:00:00.000Z'],
  ])('in %s, %s is %s', (timeZone, date, instant) => {
    expect(dayStarts(timeZone)(date)).toBe(instant)
  })
})

const asked = { from: '2026-03-01', to: '2026-03-31', step: 'day', time_zone: 'UTC' } as const

describe('a period', () => {
  it('is cut into days, into weeks from Monday, and into months, the first and last as far as they lie in it', () => {
    expect(periodOf(asked).steps).toHaveLength(31)
    const begins = (step: 'week' | 'month', to: string) =>
      periodOf({ ...asked, step, to }).steps.map((each) => each.begins)
    expect(begins('week', '2026-03-10')).toEqual(['2026-03-01', '2026-03-02', '2026-03-09'])
    expect(begins('month', '2026-05-02')).toEqual(['2026-03-01', '2026-04-01', '2026-05-01'])
    expect(periodOf(asked).end).toBe('2026-04-01T00:00:00.000Z')
  })

  it('is refused with a sentence when it is empty, too long for its steps, or nowhere on earth', () => {
    expect(() => periodOf({ ...asked, to: '2026-02-01' })).toThrow('ends before it begins')
    expect(() => periodOf({ ...asked, to: '2028-03-01' })).toThrow('Choose weeks or months')
    expect(() => periodOf({ ...asked, from: '1900-01-01', step: 'month' })).toThrow('at most 20 years')
    expect(() => periodOf({ ...asked, time_zone: 'Mars/Olympus' })).toThrow('no time zone called "Mars/Olympus"')
  })
})
