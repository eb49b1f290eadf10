import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { demoWorld } from './demo-world.ts'
import { catchUp } from './lines/fake-line.ts'
import { passDay } from './passing-day.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a day of the demo', () => {
  it('goes on until it is stopped: faxes are sent and delivered, others arrive, and all of it is recorded', () => {
    const world = demoWorld()
    const stop = passDay(world)
    const count = () => [world.jobs.length, world.inbound.length, world.events.length]
    const [jobs = 0, inbound = 0, events = 0] = count()
    vi.advanceTimersByTime(60_000)
    catchUp(world)
    expect(world.jobs.length).toBe(jobs + 4)
    expect(world.inbound.length).toBe(inbound + 2)
    expect(world.events.length).toBeGreaterThan(events + 10)
    const times = world.events.map(({ ts }) => ts)
    expect(times).toEqual(times.toSorted())
    stop()
    const after = count()
    vi.advanceTimersByTime(60_000)
    expect(count()).toEqual(after)
  })

  it('lets a person watch a fax being called', () => {
    const world = demoWorld()
    const stop = passDay(world)
    vi.advanceTimersByTime(9_000)
    const [sent] = world.jobs
    const states = [2_000, 4_000, 6_000].map((milliseconds) => {
      vi.advanceTimersByTime(milliseconds)
      catchUp(world)
      return sent?.job.status
    })
    expect(states).toEqual(['queued', 'in_progress', 'SUCCESS'])
    stop()
  })
})
