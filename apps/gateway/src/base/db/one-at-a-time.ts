import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Arbitrary numbers that every process on the database uses as lock ids. */
const locks = { action: 0x66_61_78_01, import: 0x66_61_78_02 } as const
type Lock = keyof typeof locks

/** Runs work, or returns undefined if other work is in progress. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T | undefined>

/** PostgreSQL gives the lock back when the connection ends, however it ends. */
async function locked<T>({ db }: Database, lock: Lock, work: () => Promise<T>): Promise<T | undefined> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(${locks[lock]}) as got`.execute(connection)
    if (!rows[0]?.got) return undefined
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${locks[lock]})`.execute(connection)
    }
  })
}

/** One piece of work at a time over all processes on the database. A database file has one process. */
export function oneAtATime(database: Database, lock: Lock): OneAtATime {
  let running = false
  return async (work) => {
    if (running) return undefined
    running = true
    try {
      return database.engine === 'postgres' ? await locked(database, lock, work) : await work()
    } finally {
      running = false
    }
  }
}
