import { expect, it } from 'vitest'
import { createPace } from './pace.ts'

/** An event loop whose turns take as long as the test says. */
function paced(max: number) {
  const loop = { turnMs: 0, ms: 0, active: 0, idle: 0 }
  const pace = createPace(max, {
    turn: async () => void (loop.ms += loop.turnMs),
    now: () => loop.ms,
    use: () => ({ ...loop }),
  })
  const turns = async (count: number, turnMs: number) => {
    loop.turnMs = turnMs
    for (let n = 0; n < count; n++) await pace.turn()
    return pace.room()
  }
  return { loop, pace, turns }
}

it('lets less be in hand while turns of the event loop are long, never nothing, and more again afterwards', async () => {
  const { turns } = paced(100)
  expect(await turns(10, 5)).toBe(100)
  expect(await turns(1, 200)).toBe(50)
  expect(await turns(100, 200)).toBe(32)
  expect(await turns(10, 5)).toBe(42)
  expect(await turns(1000, 5)).toBe(100)
})

it('stays within what may be in hand at all', async () => {
  const { turns } = paced(8)
  expect(await turns(10, 200)).toBe(8)
})

it('is busy when the event loop has hardly waited, and not by callers who only wait', () => {
  const { loop, pace } = paced(100)
  loop.idle = 1000
  expect(pace.isBusy()).toBe(false)
  loop.active = 1000
  expect(pace.isBusy()).toBe(true)
  loop.active += 100
  expect(pace.isBusy()).toBe(true)
  loop.idle += 200
  expect(pace.isBusy()).toBe(false)
})
