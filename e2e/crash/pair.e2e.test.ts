import { describe, expect, it } from 'vitest'
import { raisePairStorm } from './pair-storm.ts'
import { figuresOf, pairFaults } from './pair-verdict.ts'

// The long form lets gateways stand still for longer than a lease lasts.
const scale = process.env.FAXDECK_LONG
  ? { rounds: 12, clients: 4, pauseMs: 1500, longestFreezeMs: 45_000, listsAfterMs: 8000, slowestMs: 6000 }
  : { rounds: 1, clients: 3, pauseMs: 800, longestFreezeMs: 6500, listsAfterMs: 2000, slowestMs: 2000 }
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 32))

describe('two gateways on one PostgreSQL, whose machines, clocks and database fail again and again', () => {
  it(
    `lose no fax and double none, by the provider’s own count (${scale.rounds} of each accident)`,
    { timeout: 400_000 + scale.rounds * 150_000 },
    async () => {
      console.log(`Pair crash test with CRASH_SEED=${seed}`)
      const aftermath = await raisePairStorm({ ...scale, seed })
      try {
        console.table(figuresOf(aftermath))
        expect(pairFaults(aftermath)).toEqual([])
        // A storm in which nothing was under way proves nothing.
        expect(aftermath.pair.witness.taken.length).toBeGreaterThan(10)
        if (aftermath.accidents['clock set ahead and back'] === 0)
          console.warn('Clocks stayed: libfaketime is missing.')
      } finally {
        await aftermath.pair.close()
      }
    },
  )
})
