import { setTimeout as sleep } from 'node:timers/promises'
import { type GatewayProcess, prepareGateway, unlimited } from '../harness/gateway-process.ts'
import { waitFor, waitForNone } from '../harness/wait.ts'
import type { FaxStatus } from '../../packages/contract/src/index.ts'
import { everyInbound } from './findings.ts'
import { type Dice, diceOf } from './dice.ts'
import { sendFaxes, type Submission } from './sender.ts'

export interface Force {
  /** How many times the gateway is killed. */
  kills: number
  /** The longest pause a client makes between two faxes. */
  pauseMs: number
  /** Of everything that is left to chance. */
  seed: number
}

/** What is known outside when a storm is over and every fax has come to rest. */
export interface Aftermath {
  gateway: GatewayProcess
  /** Every fax that was posted. */
  ledger: Submission[]
  /** Kills that did not wait until the gateway was ready again. */
  blindKills: number
  /** Seconds from the last start until no fax was under way. */
  settledAfter: number
}

const clients = 6
// Calls that last, and many at once: every kill finds faxes in all their states.
const line = { TESTLINE_SECONDS: '1', LANE_CONCURRENCY: '60' }
/** Seconds in which at least one more fax comes to rest. */
const stillFor = 120

/**
 * Kills the gateway at random moments while clients send, starts it again each time on the same data directory,
 * and waits until nothing is under way.
 * @throws {Error} when a start fails, a client gets an answer it must not get, or faxes stay under way
 */
export async function raiseStorm({ kills, pauseMs, seed }: Force): Promise<Aftermath> {
  const dice = diceOf(seed)
  const gateway = await prepareGateway({ env: { ...unlimited, ...line } })
  const ledger: Submission[] = []
  const over = new AbortController()
  const stop = () => over.abort()
  gateway.spawn()
  try {
    const sending = Array.from({ length: clients }, (_, index) =>
      sendFaxes(gateway.client, ledger, { pauseMs, dice: diceOf(seed + index + 1), stop: over.signal }).finally(stop),
    )
    const killing = killAndRestart(gateway, kills, dice, ledger, over.signal).finally(stop)
    // All of them end before a failure of one is reported, so that nothing runs on after the test.
    await Promise.allSettled([...sending, killing])
    await Promise.all(sending)
    const blindKills = await killing
    const begun = performance.now()
    await settled(gateway)
    return { gateway, ledger, blindKills, settledAfter: (performance.now() - begun) / 1000 }
  } catch (error) {
    await gateway.remove()
    throw error
  }
}

/**
 * Most kills hit a gateway that has acknowledged a fax since its start, the others one that is just starting.
 * @returns how many kills did not wait for anything
 */
async function killAndRestart(
  gateway: GatewayProcess,
  kills: number,
  dice: Dice,
  ledger: readonly Submission[],
  stop: AbortSignal,
): Promise<number> {
  let blind = 0
  const acknowledged = () => ledger.filter(({ ids }) => ids.size > 0).length
  for (let kill = 0; kill < kills && !stop.aborted; kill += 1) {
    if (dice.happens(0.15)) blind += 1
    else {
      await gateway.ready()
      const before = acknowledged()
      await waitFor('another fax to be acknowledged', async () => acknowledged() > before || stop.aborted || undefined)
    }
    await sleep(dice.between(0, 1500))
    await gateway.kill()
    gateway.spawn()
  }
  await gateway.ready()
  return blind
}

/** Waits until no fax is under way and what was delivered has been received. */
async function settled({ client }: GatewayProcess): Promise<void> {
  const count = async (status: FaxStatus) => (await client.listJobs({ query: { status, limit: 1 } })).total
  const moving = async () => (await count('queued')) + (await count('in_progress'))
  await waitForNone('every fax to come to rest', moving, stillFor)
  const delivered = await count('SUCCESS')
  const missing = async () =>
    Math.max(0, delivered - (await everyInbound(client)).filter(({ status }) => status === 'received').length)
  await waitForNone('every delivered fax to be received', missing, stillFor)
}
