import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'

/** An arbitrary lock id, under which processes claim and release work. */
const lockOfQueue = 7_035_001

/** The time that due dates and leases go by. */
export interface QueueTime {
  /** What it was when last read, and what has passed since: good enough to know how long to sleep. */
  estimate: () => Date
  read: (db: Tx | Database['db']) => Promise<Date>
  /**
   * Reads it and, on PostgreSQL, waits until it is this transaction's turn to change claims: no row is set aside while
   * its number becomes free, and no two wait for each other's rows.
   */
  takeTurn: (tx: Tx) => Promise<Date>
}

/** Of the server, which is one for all processes, whatever their own clocks say. */
const serverMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`

/** @param now this process's clock, for a queue that goes by it: one process alone owns a file. */
export function queueTime({ engine }: Database, now: () => Date, byServer: boolean): QueueTime {
  const own = async () => now()
  if (engine === 'sqlite') return { estimate: now, read: own, takeTurn: own }
  const turn = sql`pg_advisory_xact_lock(${lockOfQueue})`
  if (!byServer) return { estimate: now, read: own, takeTurn: (tx) => sql`select ${turn}`.execute(tx).then(own) }
  let offset = now().getTime() - performance.now()
  const dateOf = ({ rows: [row] }: { rows: { ms: number }[] }) => {
    if (!row) throw new Error('PostgreSQL did not say what time it is.')
    offset = row.ms - performance.now()
    return new Date(row.ms)
  }
  return {
    estimate: () => new Date(offset + performance.now()),
    read: async (db) => dateOf(await sql<{ ms: number }>`select ${serverMs} as ms`.execute(db)),
    takeTurn: async (tx) => dateOf(await sql<{ ms: number }>`select ${turn}, ${serverMs} as ms`.execute(tx)),
  }
}
