import { describe, expect, it, vi } from 'vitest'
import { Hold, Room } from './room.ts'

const kB = 1024

/** A small and a large room of few bytes, with a clock that moves when told. */
function rooms(small: number, large = small) {
  const clock = { ms: 0 }
  const elapsed = () => clock.ms
  return { clock, small: new Room(small, kB, elapsed), large: new Room(large, kB, elapsed) }
}
const unknown = Number.NaN

describe('the room for bodies', () => {
  it('belongs to those who hold less, when it is full', () => {
    const all = rooms(10 * kB)
    const given = Array.from({ length: 10 }, () => vi.fn())
    for (const act of given) new Hold(all, 'stranger', unknown).onGiveUp(act)
    const ours = Array.from({ length: 5 }, () => new Hold(all, 'provider', unknown))
    expect(given.filter((act) => act.mock.calls.length > 0)).toHaveLength(5)
    expect(given[0]?.mock.calls[0]?.[0]).toMatchObject({ code: 'unavailable' })
    // Both hold as much now.
    expect(() => new Hold(all, 'provider', unknown)).toThrow('Too many callbacks at once')
    ours[0]?.release()
    expect(() => new Hold(all, 'provider', unknown)).not.toThrow()
  })

  it('is left by whoever has stood still, also when all come from one address', () => {
    const all = rooms(3 * kB)
    const still = vi.fn()
    new Hold(all, 'a', unknown).onGiveUp(still)
    const moving = new Hold(all, 'a', unknown)
    const whole = new Hold(all, 'a', unknown)
    whole.finish()
    expect(() => new Hold(all, 'a', unknown)).toThrow('Too many')
    all.clock.ms = 5000
    moving.grow(10)
    new Hold(all, 'a', unknown)
    expect(still).toHaveBeenCalledOnce()
    expect(() => new Hold(all, 'a', unknown)).toThrow('Too many')
  })

  it('counts what a body has brought, and moves it to the room for large ones', () => {
    const all = rooms(100 * kB, 300 * kB)
    const body = new Hold(all, 'a', unknown)
    body.grow(60 * kB)
    new Hold(all, 'b', unknown).grow(30 * kB)
    body.grow(200 * kB)
    // Its place among the small ones is free again.
    new Hold(all, 'c', unknown).grow(45 * kB)
    expect(() => body.grow(50 * kB)).toThrow('Too many')
    body.release()
    expect(() => new Hold(all, 'b', 280 * kB).grow(280 * kB)).not.toThrow()
  })

  it('is refused to a body that had to give way', () => {
    const all = rooms(2 * kB)
    const first = new Hold(all, 'a', unknown)
    new Hold(all, 'a', unknown)
    new Hold(all, 'b', unknown)
    expect(() => first.grow(1)).toThrow('Too many')
  })
})
