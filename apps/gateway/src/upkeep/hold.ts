import type { Environment } from '@faxdeck/settings'
import { holdWaiting } from '../features/approvals/expire.ts'
import { stopSending } from '../features/bulk/start-bulk.ts'
import type { Database } from '../base/db/database.ts'
import type { PostgresOptions } from '../base/db/postgres.ts'
import { upkeepSessions } from '../base/db/session-names.ts'
import { Events } from '../base/events/events.ts'
import { holdUnfinished } from '../fax/move/hold-unfinished.ts'
import { openDatabase } from '../start/open-database.ts'
import { createQueue } from '../base/queue/create-queue.ts'
import { StartProblem } from '../base/settings/start-problem.ts'
import { presentUrlOf } from './backup.ts'
import { UpkeepProblem } from './copy.ts'

interface HoldRequest {
  directory: string
  env: Environment
  /** The time that the database is of; that of the newest entry of its audit trail when left out. */
  asOf?: Date | undefined
  now: () => Date
}

/** What was held. */
export interface HeldFaxes {
  held: number
  asOf: Date
}

const leaseMs = 30_000

/** Opens a database for a piece of upkeep. @throws {UpkeepProblem} */
export async function withDatabase<T>(
  url: string,
  work: (database: Database) => Promise<T>,
  options?: PostgresOptions,
): Promise<T> {
  const { database, close } = await openDatabase(url, { name: upkeepSessions, ...options }).catch((error: unknown) => {
    throw error instanceof StartProblem ? new UpkeepProblem(error.message) : error
  })
  try {
    return await work(database)
  } finally {
    await close()
  }
}

async function newestEntry({ db }: Database): Promise<Date | undefined> {
  const newest = await db.selectFrom('audit_events').select('ts').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return newest && new Date(newest.ts)
}

/** Records that a database was put back, holds what has not ended in it, and stops what would send more. */
export async function holdIn(database: Database, asOf: Date | undefined, now: () => Date): Promise<HeldFaxes> {
  const time = asOf ?? (await newestEntry(database)) ?? now()
  const queue = createQueue({ database, now, leaseMs })
  const events = new Events(database, now)
  // First of all: it is the entry at which copies of the trail outside stop to fit.
  await events.databaseRestored({ as_of: time.toISOString() })
  const held = await holdUnfinished({ database, queue, events, now }, time)
  await holdWaiting({ database, now }, time)
  // Whoever does this knows that the database is another one, and need not be asked.
  await database.db.updateTable('installation').set({ home: null }).execute()
  await stopSending({ database, events, now })
  return { held, asOf: time }
}

/**
 * Holds every fax that has not ended, for a database that was put back by other means than `restore`.
 * @throws {UpkeepProblem} when the database cannot be used, or is embedded and its gateway runs
 */
export async function holdFaxes({ directory, env, asOf, now }: HoldRequest): Promise<HeldFaxes> {
  return withDatabase(presentUrlOf(directory, env), (database) => holdIn(database, asOf, now))
}
