import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { GatewayProcess, unlimited } from '../harness/gateway-process.ts'
import { reservePort } from '../../apps/gateway/src/testing/reserve-port.ts'
import { movedClock, type MovedClock } from '../harness/moved-clock.ts'
import { PostgresServer } from '../../apps/gateway/src/testing/postgres-server.ts'
import type { Dice } from './dice.ts'
import { startWitness, type Witness } from './witness.ts'

/** One of the gateways that share a database, with the clock it goes by. */
export interface Member {
  gateway: GatewayProcess
  /** Undefined where clocks cannot be moved. */
  clock: MovedClock | undefined
}

/** Two gateways on one PostgreSQL, with shared documents, that send through one hostile provider. */
export interface Pair {
  postgres: PostgresServer
  witness: Witness
  members: readonly [Member, Member]
  close: () => Promise<void>
}

interface PairOptions {
  dice: Dice
  /** So long after it was taken a fax appears in the provider's list. */
  listsAfterMs: number
  /** What a slow answer of the provider takes at most. */
  slowestMs: number
}

const masterKey = '07'.repeat(32)

async function prepareMember(env: Record<string, string>, name: string, home: string): Promise<Member> {
  const clock = movedClock(join(home, `clock-${name}`))
  return { gateway: new GatewayProcess(await reservePort(), { env: { ...env, ...clock?.env } }), clock }
}

/** Starts everything; what was started is ended again when something does not start. */
export async function openPair(options: PairOptions): Promise<Pair> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of closers.splice(0).toReversed()) await end()
  }
  try {
    const postgres = await PostgresServer.start({ isDurable: true })
    closers.push(() => postgres.remove())
    const witness = await startWitness(options)
    closers.push(witness.close)
    const env = {
      ...unlimited,
      ...witness.env,
      DATABASE_URL: postgres.url,
      FAXDECK_MASTER_KEY: masterKey,
      FAX_DISABLED: 'false',
      FAX_OUTBOUND_BACKEND: 'phaxio',
      INBOUND_ENABLED: 'false',
      RETRY_UNREACHABLE_FIRST_SECONDS: '1',
      PAUSE_AFTER_FAILURES: '0',
      RECONCILE_MINUTES: '0',
      LANE_CONCURRENCY: '20',
    }
    const first = await prepareMember(env, 'first', postgres.home)
    const second = await prepareMember(env, 'second', postgres.home)
    const members = [first, second] as const
    for (const { gateway } of members) closers.push(() => gateway.remove())
    const documents = join(first.gateway.directory, 'documents')
    mkdirSync(documents, { recursive: true, mode: 0o700 })
    symlinkSync(documents, join(second.gateway.directory, 'documents'))
    // At once: both find an empty database, and one of them makes the tables.
    await Promise.all(members.map(({ gateway }) => gateway.start()))
    return { postgres, witness, members, close }
  } catch (error) {
    await close()
    throw error
  }
}
