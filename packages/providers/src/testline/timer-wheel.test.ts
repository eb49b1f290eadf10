import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TimerWheel } from './timer-wheel.ts'

describe('TimerWheel', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('runs nothing before its time, and everything soon after, in order of time', () => {
    const wheel = new TimerWheel()
    const ran: string[] = []
    wheel.after(1000, () => ran.push('second'))
    wheel.after(500, () => ran.push('half'))
    wheel.after(0, () => ran.push('now'))
    expect(ran).toEqual([])
    vi.advanceTimersByTime(40)
    expect(ran).toEqual(['now'])
    vi.advanceTimersByTime(459)
    expect(ran).toEqual(['now'])
    vi.advanceTimersByTime(41)
    expect(ran).toEqual(['now', 'half'])
    vi.advanceTimersByTime(1000)
    expect(ran).toEqual(['now', 'half', 'second'])
    wheel.stop()
  })

  it('holds one timer for ten thousand tasks, and none when they are done', () => {
    const wheel = new TimerWheel()
    let ran = 0
    for (let index = 0; index < 10_000; index += 1) wheel.after(index / 10, () => (ran += 1))
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1100)
    expect(ran).toBe(10_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('takes tasks from within a task, and starts again after a rest', () => {
    const wheel = new TimerWheel()
    const ran: string[] = []
    wheel.after(10, () => wheel.after(0, () => ran.push('inner')))
    vi.advanceTimersByTime(100)
    vi.advanceTimersByTime(3_600_000)
    wheel.after(10, () => ran.push('later'))
    vi.advanceTimersByTime(60)
    expect(ran).toEqual(['inner', 'later'])
  })

  it('forgets its tasks when it is stopped', () => {
    const wheel = new TimerWheel()
    let ran = 0
    wheel.after(10, () => (ran += 1))
    wheel.stop()
    vi.advanceTimersByTime(100)
    expect(ran).toBe(0)
  })
})
