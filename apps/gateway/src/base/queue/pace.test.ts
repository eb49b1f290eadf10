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

it('is strained more and more while the event loop hardly waits, and not by callers who only wait', () => {
  const { loop, pace } = paced(100)
  const after = (active: number, idle: number, spans = 1) => {
    for (let n = 0; n < spans; n++) {
      loop.active += active
      loop.idle += idle
      pace.strain()
    }
    return pace.strain()
  }
  expect(after(100, 100, 20)).toBe(0)
  const first = after(190, 10)
  expect(first).toBeGreaterThan(0)
  expect(after(190, 10)).toBe(2 * first)
  expect(after(190, 10, 20)).toBe(1)
  expect(after(10, 50)).toBe(1)
  expect(after(100, 100)).toBe(0.5)
  expect(after(100, 100, 20)).toBe(0)
})
