import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** Any number of our own: what every process on the database agrees to lock. */
const lockNumber = 0x66_61_78_01

/** Runs work, or answers undefined when other work is under way. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T | undefined>

/** PostgreSQL gives the lock back when the connection ends, however it ends. */
async function locked<T>({ db }: Database, work: () => Promise<T>): Promise<T | undefined> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(${lockNumber}) as got`.execute(connection)
    if (!rows[0]?.got) return undefined
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${lockNumber})`.execute(connection)
    }
  })
}

/** One piece of work at a time over all processes on the database. A database file has one process. */
export function oneAtATime(database: Database): OneAtATime {
  let running = false
  return async (work) => {
    if (running) return undefined
    running = true
    try {
      return database.engine === 'postgres' ? await locked(database, work) : await work()
    } finally {
      running = false
    }
  }
}
