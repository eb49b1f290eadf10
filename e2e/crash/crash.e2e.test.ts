import { describe, expect, it } from 'vitest'
import { isPrinted } from '../../packages/providers/src/testline/calls.ts'
import { gather } from './findings.ts'
import { raiseStorm } from './storm.ts'
import { faultsOf } from './verdict.ts'

// The short form has fewer faxes per kill: a dozen are enough to be found in every state.
const { kills, pauseMs } = process.env.FAXDECK_LONG ? { kills: 100, pauseMs: 80 } : { kills: 3, pauseMs: 300 }
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 32))

describe('a gateway that is killed again and again while clients send', () => {
  it(`delivers every acknowledged fax once (${kills} kills)`, { timeout: 400_000 + kills * 10_000 }, async () => {
    console.log(`Crash test with CRASH_SEED=${seed}`)
    const { gateway, ledger, blindKills, settledAfter } = await raiseStorm({ kills, pauseMs, seed })
    try {
      const findings = await gather(gateway)
      console.table({
        'kills, of them without waiting for the start': `${kills}, ${blindKills}`,
        'faxes posted, and posts they took': `${ledger.length}, ${ledger.reduce((sum, { posts }) => sum + posts, 0)}`,
        'acknowledged, and given up by the client': `${ledger.filter(({ ids }) => ids.size > 0).length}, ${ledger.filter(({ givenUp }) => givenUp).length}`,
        'delivered, by the line’s own record': findings.calls.filter(isPrinted).length,
        'in the inbox': findings.inbox.length,
        uncertain: findings.storedCounts.attention,
        'audit entries that verify': findings.chain.checked,
        'seconds until all was quiet': settledAfter.toFixed(1),
      })
      expect(faultsOf(ledger, findings)).toEqual([])
      // A storm in which nothing was under way proves nothing.
      expect(ledger.length).toBeGreaterThan(kills)
      expect(ledger.some(({ posts }) => posts > 2)).toBe(true)
    } finally {
      await gateway.remove()
    }
  })
})
