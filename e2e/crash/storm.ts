import { setTimeout as sleep } from 'node:timers/promises'
import { type GatewayProcess, prepareGateway, unlimited } from '../harness/gateway-process.ts'
import { waitFor } from '../harness/wait.ts'
import { type Dice, diceOf } from './dice.ts'
import { sendFaxes, type Submission } from './sender.ts'

/** What is known outside when a storm is over and every fax has come to rest. */
export interface Aftermath {
  gateway: GatewayProcess
  /** Every fax that was posted. */
  ledger: Submission[]
  /** Kills that hit a gateway before it was ready again. */
  killedInStart: number
  /** Seconds from the last start until no fax was under way. */
  settledAfter: number
}

const clients = 6
// Calls that last, and many at once: every kill finds faxes in all their states.
const line = { TESTLINE_SECONDS: '1', LANE_CONCURRENCY: '60' }
const settleWithin = 180

/**
 * Kills the gateway at random moments while clients send, starts it again each time on the same data directory,
 * and waits until nothing is under way.
 * @param kills how many times
 * @param seed of everything that is left to chance
 * @throws {Error} when a start fails, a client gets an answer it must not get, or faxes stay under way
 */
export async function raiseStorm(kills: number, seed: number): Promise<Aftermath> {
  const dice = diceOf(seed)
  const gateway = await prepareGateway({ env: { ...unlimited, ...line } })
  const ledger: Submission[] = []
  const over = new AbortController()
  const stop = () => over.abort()
  gateway.spawn()
  try {
    const sending = Array.from({ length: clients }, (_, index) =>
      sendFaxes(gateway.client, ledger, diceOf(seed + index + 1), over.signal).finally(stop),
    )
    const killing = killAndRestart(gateway, kills, dice, over.signal).finally(stop)
    // All of them end before a failure of one is told: nothing goes on behind the test's back.
    await Promise.allSettled([...sending, killing])
    await Promise.all(sending)
    const killedInStart = await killing
    const begun = performance.now()
    await settled(gateway)
    return { gateway, ledger, killedInStart, settledAfter: (performance.now() - begun) / 1000 }
  } catch (error) {
    await gateway.remove()
    throw error
  }
}

/** @returns how many kills came before the gateway was ready */
async function killAndRestart(gateway: GatewayProcess, kills: number, dice: Dice, stop: AbortSignal): Promise<number> {
  let killedInStart = 0
  for (let kill = 0; kill < kills && !stop.aborted; kill += 1) {
    if (dice.happens(0.15)) {
      killedInStart += 1
      await sleep(dice.between(100, 800))
    } else {
      await gateway.ready()
      await sleep(dice.between(20, 1200))
    }
    await gateway.kill()
    gateway.spawn()
  }
  await gateway.ready()
  return killedInStart
}

async function settled(gateway: GatewayProcess): Promise<void> {
  await waitFor(
    'every fax to come to rest',
    async () => {
      const { jobs } = await gateway.client.getHealthStatus({})
      return jobs.queued + jobs.in_progress === 0 ? jobs : undefined
    },
    settleWithin,
  )
}
