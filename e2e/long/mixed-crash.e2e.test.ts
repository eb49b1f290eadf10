import { describe, expect, it } from 'vitest'
import { type MixedAftermath, raiseMixedStorm } from '../crash/mixed-storm.ts'
import { countOf, mixedFaults } from '../crash/mixed-verdict.ts'

const [faxes, kills, arrivals] = [1000, 20, 20]
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 32))

function show(aftermath: MixedAftermath): void {
  console.table(Object.fromEntries([...aftermath.emulators.keys()].map((id) => [id, countOf(aftermath, id)])))
}

describe('a gateway that is killed again and again while it sends and receives through every provider', () => {
  it(
    `loses no fax and doubles none, by the providers’ own count (${faxes} faxes, ${kills} kills)`,
    { timeout: 600_000 + faxes * 1000 },
    async () => {
      console.log(`Mixed crash test with CRASH_SEED=${seed}`)
      const aftermath = await raiseMixedStorm({ faxes, kills, arrivals, seed })
      try {
        show(aftermath)
        expect(mixedFaults(aftermath)).toEqual([])
        // A provider through which nothing went proves nothing.
        for (const id of aftermath.emulators.keys()) expect(countOf(aftermath, id).faxes).toBeGreaterThan(0)
        expect([...aftermath.killsByProvider.values()].reduce((sum, each) => sum + each, 0)).toBe(kills)
      } finally {
        await aftermath.close()
      }
    },
  )
})
