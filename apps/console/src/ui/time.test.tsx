import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { relativeTime, shortTime, Time, withLocalTimes } from './time.tsx'

const local = (...parts: [number, number, number, number, number, number]) => new Date(...parts)

describe('a time', () => {
  const now = local(2026, 10, 21, 15, 0, 0)
  const show = (at: Date, seconds?: boolean) => shortTime(at.toISOString(), now, seconds)

  it('says how long ago it was, within a day', () => {
    const ago = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000).toISOString(), now)
    expect([-30, 59, 60, 3599, 3600, 86_399].map(ago)).toEqual([
      'just now',
      'just now',
      '1 min ago',
      '59 min ago',
      '1 h ago',
      '23 h ago',
    ])
    expect(ago(86_400)).toMatch(/15:00$/)
    const brief = relativeTime(new Date(now.getTime() - 86_400_000).toISOString(), now, true)
    expect(brief).toMatch(/20/)
    expect(brief).not.toMatch(/:/)
    expect(ago(400 * 86_400)).toMatch(/2025$/)
  })

  it('is as short as it is clear', () => {
    expect(show(local(2026, 10, 21, 14, 5, 9))).toBe('14:05')
    expect(show(local(2026, 10, 21, 0, 0, 9))).toBe('00:00')
    expect(show(local(2026, 10, 20, 14, 5, 9))).toMatch(/20.* 14:05$/)
    expect(show(local(2026, 10, 20, 14, 5, 9))).not.toMatch(/2026/)
    expect(show(local(2025, 10, 21, 14, 5, 9))).toMatch(/2025.* 14:05$/)
  })

  it('of a sentence of the gateway is that of the viewer', () => {
    const utc = (date: Date) => date.toISOString().slice(0, 16).replace('T', ' ')
    const sentence = `Phaxio cannot be reached since ${utc(local(2026, 10, 21, 14, 5, 0))} UTC. New faxes wait.`
    expect(withLocalTimes(sentence, now)).toBe('Phaxio cannot be reached since 14:05. New faxes wait.')
    const until = `New faxes wait until ${local(2026, 10, 21, 15, 0, 9).toISOString().slice(11, 19)} UTC.`
    expect(withLocalTimes(until, now)).toBe('New faxes wait until 15:00:09.')
    const made = `Made at ${local(2026, 10, 21, 14, 5, 9).toISOString()}.`
    expect(withLocalTimes(made, now)).toBe('Made at 14:05.')
  })

  it('shows seconds where they matter', () => {
    expect(show(local(2026, 10, 21, 14, 5, 9), true)).toBe('14:05:09')
  })

  it('is exact, with its zone, while pointed at, and readable by machines', () => {
    const { container } = render(<Time at="2026-11-21T14:05:09.123Z" />)
    const time = container.querySelector('time')
    expect(time?.dateTime).toBe('2026-11-21T14:05:09.123Z')
    if (time) fireEvent.pointerEnter(time)
    expect(time?.title).toMatch(/2026.*:\d\d:09/)
  })

  it('shows a dash for never', () => {
    render(<Time at={null} />)
    expect(screen.getByLabelText('never').textContent).toBe('—')
  })
})
