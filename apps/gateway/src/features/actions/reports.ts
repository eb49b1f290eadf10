import { release, type } from 'node:os'
import { sql } from 'kysely'
import type { Database } from '../../base/db/database.ts'
import type { Events } from '../../base/events/events.ts'
import type { Queue } from '../../base/queue/queue.ts'
import { countStates } from '../../fax/move/job-states.ts'
import { type Output, success, wrong } from './action.ts'

async function engineVersion({ db, engine }: Database): Promise<string> {
  const asked =
    engine === 'sqlite'
      ? sql<{ version: string }>`select 'SQLite ' || sqlite_version() as version`
      : sql<{ version: string }>`select version() as version`
  const { rows } = await asked.execute(db)
  return rows[0]?.version ?? 'unknown'
}

/** What runs here, by version. */
export async function reportVersions(version: string, database: Database): Promise<Output> {
  return success([
    `Faxdeck    ${version}`,
    `Node.js    ${process.version}`,
    `Database   ${await engineVersion(database)}`,
    `System     ${type()} ${release()} ${process.arch}`,
    `Up since   ${new Date(Date.now() - process.uptime() * 1000).toISOString()}`,
  ])
}

/** How much work waits, and how many jobs there are of each state. */
export async function reportQueue(queue: Pick<Queue, 'depth'>, { db }: Database): Promise<Output> {
  const { waiting, under_way, oldest_due_at } = await queue.depth()
  const counts = await countStates(db)
  return success([
    `waiting     ${waiting}`,
    `under way   ${under_way}`,
    `oldest due  ${oldest_due_at ?? 'nothing is waiting'}`,
    '',
    ...counts.map(({ backend, state, jobs }) => `${backend.padEnd(12)}${state.padEnd(14)}${jobs}`),
  ])
}

/** Recomputes the hash chain of the audit trail. */
export async function verifyTrail(events: Pick<Events, 'verify'>, signal: AbortSignal): Promise<Output> {
  const { intact, checked, broken_at } = await events.verify(signal)
  if (intact) return success([`${checked} entries verified. The audit chain is intact.`])
  return wrong(`The audit chain is broken at entry ${broken_at}: it was altered, removed or added later.`)
}
