import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Tx } from './database.ts'
import { DatabaseAway, OutcomeUnknown } from './outage.ts'

interface Ending {
  hooks: (() => void)[]
  gathered: Map<Gatherer<never>, unknown[]>
}
const endings = new WeakMap<Tx, Ending>()
const maxTries = 6

/** Calls `hook` once the transaction is committed; never when it is rolled back. */
export function afterCommit(tx: Tx, hook: () => void): void {
  endings.get(tx)?.hooks.push(hook)
}

/** Writes to rows that every transaction touches. Transactions lock them last, and in this order, to avoid deadlocks. */
const order = ['keys', 'counts', 'hours', 'audit'] as const

export interface Gatherer<I> {
  turn: (typeof order)[number]
  /** Writes everything that a transaction gathered. */
  write: (tx: Tx, items: readonly I[]) => Promise<void>
}

/** Leaves items to be written at the end of the transaction, together with all others of their kind. */
export function gather<I>(tx: Tx, gatherer: Gatherer<I>, items: readonly I[]): void {
  const ending = endings.get(tx)
  if (!ending) throw new Error('Only a transaction begun with transact can gather what is to be written at its end.')
  const present = ending.gathered.get(gatherer)
  if (present) present.push(...items)
  else ending.gathered.set(gatherer, [...items])
}

async function writeGathered(tx: Tx, { gathered }: Ending): Promise<void> {
  const place = ([{ turn }]: [Gatherer<never>, unknown[]]) => order.indexOf(turn)
  for (const [gatherer, items] of [...gathered].toSorted((a, b) => place(a) - place(b))) {
    await gatherer.write(tx, items as never[])
  }
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

/**
 * Whether the database could not write for reasons of the machine: no rights, a read-only or broken disk, files that
 * cannot be opened. PostgreSQL's are those of the appendix "Error Codes": read-only transactions and input/output errors.
 */
export function isDatabaseUnwritable(error: unknown): boolean {
  const code = codeOf(error)
  return (
    code !== undefined &&
    (/^SQLITE_(READONLY|IOERR|CANTOPEN|PERM|AUTH)/.test(code) || ['25006', '58030'].includes(code))
  )
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

/** A broken connection is replaced within this time; after that, a waiting caller gets an error. */
const repeatWithinMs = 2500

export interface Manner {
  /** Safe to repeat, so it is repeated if the connection breaks during the commit. */
  repeatable?: boolean
  /**
   * Does not wait until a commit of SQLite is on disk. Its log is written in order, so this one is on disk with the next
   * that is waited for, and what loses the log ends this process too. PostgreSQL may crash and be back while this process
   * goes on: its commits are always waited for. For changes that matter only once something else is committed.
   */
  inPassing?: boolean
}

/**
 * Runs `work` in one write transaction, which is on disk when this resolves unless it is done in passing.
 * SQLite takes the write lock at once. When another transaction was in the way, or the connection to the database
 * broke, `work` runs again from the beginning, so it must have no effects outside the transaction but `afterCommit`.
 * @param work `again` is true when what it does may have been committed before; only where that is `repeatable`
 * @throws {DatabaseAway} when nothing was done, {OutcomeUnknown} when that is not known
 */
export async function transact<T>(
  database: Database,
  work: (tx: Tx, again: boolean) => Promise<T>,
  { repeatable = false, inPassing = false }: Manner = {},
): Promise<T> {
  const giveUpAt = performance.now() + repeatWithinMs
  let unknown: OutcomeUnknown | undefined
  for (let tries = 1; ; tries++) {
    try {
      return await tryOnce(database, (tx) => work(tx, unknown !== undefined), inPassing)
    } catch (error) {
      if (error instanceof OutcomeUnknown) unknown = error
      if (error instanceof DatabaseAway) {
        const isOver = performance.now() > giveUpAt
        if (unknown && (isOver || !repeatable)) throw unknown
        if (isOver) throw error
        await delay(50 + Math.random() * 100)
      } else {
        // There may be room now that was kept back.
        const hasRoom = isDatabaseFull(error) && database.reserve.isInUse() && tries === 1
        if (tries >= maxTries || (!isConflict(error) && !hasRoom)) throw error
        await delay(Math.random() * 5 * 2 ** tries)
      }
    }
  }
}

async function tryOnce<T>(database: Database, work: (tx: Tx) => Promise<T>, inPassing: boolean): Promise<T> {
  const ending: Ending = { hooks: [], gathered: new Map() }
  const result = await database.db.transaction().execute(async (tx) => {
    endings.set(tx, ending)
    const done = await work(tx)
    await writeGathered(tx, ending)
    return done
  })
  if (!inPassing) await database.synced()
  for (const hook of ending.hooks) hook()
  return result
}
