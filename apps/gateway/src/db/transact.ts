import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Tx } from './database.ts'

const hooksOf = new WeakMap<Tx, (() => void)[]>()
const mostTries = 6

/** Calls `hook` once the transaction is committed; never when it is rolled back. */
export function afterCommit(tx: Tx, hook: () => void): void {
  hooksOf.get(tx)?.push(hook)
}

/** The error code a database driver gave: SQLite's `SQLITE_…` or PostgreSQL's five characters. */
function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** Whether the database could not write because its disk is full. */
export function isDatabaseFull(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'SQLITE_FULL' || code === '53100'
}

/** Whether another process holds SQLite's write lock. */
export function isSqliteBusy(error: unknown): boolean {
  return codeOf(error)?.startsWith('SQLITE_BUSY') ?? false
}

/** PostgreSQL found two transactions in each other's way: serialization failure, deadlock, the same new row. */
function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01' || code === '23505'
}

/**
 * Runs `work` in one write transaction. SQLite takes the write lock at once. When another transaction was in the way,
 * `work` runs again from the beginning, so it must have no effects outside the transaction but `afterCommit`.
 */
export async function transact<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const hooks: (() => void)[] = []
    try {
      const result = await database.db.transaction().execute((tx) => {
        hooksOf.set(tx, hooks)
        return work(tx)
      })
      for (const hook of hooks) hook()
      return result
    } catch (error) {
      if (tries >= mostTries || !isConflict(error)) throw error
      await delay(Math.random() * 5 * 2 ** tries)
    }
  }
}
