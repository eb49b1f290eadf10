import { describe, expect, it } from 'vitest'
import { Clocks } from './clocks.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')

function made() {
  const ours = { ms: noon, steady: 1000 }
  const clocks = new Clocks({ now: () => new Date(ours.ms), steady: () => ours.steady })
  const answer = { headers: {} as Record<string, string> }
  const fetch = clocks.watch('acme', () => Promise.resolve(new Response(null, { headers: answer.headers })))
  const ask = (headers: Record<string, string>) => {
    answer.headers = headers
    return fetch('https://acme.example/')
  }
  return { clocks, ask, ours }
}

describe('the clock of a provider', () => {
  it('is not known before its first answer, or from one without a date, or with one that a cache kept', async () => {
    const { clocks, ask } = made()
    expect(clocks.read('acme')).toBeUndefined()
    const undated: Record<string, string>[] = [
      {},
      { date: 'noon' },
      { date: 'Sun, 01 Mar 2026 12:00:00 GMT', age: '30' },
    ]
    for (const headers of undated) await ask(headers)
    expect(clocks.read('acme')).toBeUndefined()
  })

  it('is read from each answer and carried on, whatever ours is set to', async () => {
    const { clocks, ask, ours } = made()
    await ask({ date: 'Sun, 01 Mar 2026 12:05:00 GMT' })
    expect(clocks.read('acme')).toMatchObject({ now: new Date(noon + 300_000), aheadMs: 300_000, ageMs: 0 })
    ours.steady += 2000
    ours.ms += 660_000
    expect(clocks.read('acme')).toMatchObject({ now: new Date(noon + 302_000), aheadMs: -358_000, ageMs: 2000 })
    await ask({ date: 'Sun, 01 Mar 2026 12:05:03 GMT' })
    expect(clocks.read('acme')?.now).toEqual(new Date(noon + 303_000))
    expect(clocks.read('another')).toBeUndefined()
  })

  it('is not read from an answer that jumps, unless the answers of the next minute do the same', async () => {
    const { clocks, ask, ours } = made()
    const pass = (ms: number) => (ours.steady += ms)
    const askAt = (ms: number) => ask({ date: new Date(noon + ms).toUTCString() })
    const shown = () => (clocks.read('acme')?.now.getTime() ?? NaN) - noon
    const [hour, minute] = [3_600_000, 60_000]
    await askAt(0)
    pass(minute)
    await askAt(minute - 2 * hour)
    expect(shown()).toBe(minute)
    pass(minute)
    await askAt(2 * minute)
    await askAt(2 * minute + 2 * hour)
    expect([shown(), clocks.read('acme')?.evenSinceMs]).toEqual([2 * minute, 1000])
    pass(minute)
    await askAt(3 * minute + 2 * hour)
    expect([shown(), clocks.read('acme')?.evenSinceMs]).toEqual([3 * minute + 2 * hour, 1000 + 3 * minute])
  })
})
