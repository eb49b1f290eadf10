import type { Database, Tx } from './database.ts'
import { DatabaseAway } from './outage.ts'
import { type Manner, transact } from './transact.ts'

interface Waiting<I, O> {
  item: I
  resolve: (outcome: O) => void
  reject: (error: unknown) => void
}

/** Outcome of one item in a shared transaction: an answer, or a refusal that leaves its neighbors alone. */
export type Outcome<O> = O | Error

export interface CommitGroup<I, O> {
  /** Resolves once the item is committed, together with those that arrived while the last commit was running. */
  add: (item: I) => Promise<O>
}

/**
 * Lets small writes share transactions, so that many of them cost one sync to disk.
 * `write` stores all items and answers one outcome each, in order. When it throws, every item is tried by itself,
 * so that a bad one fails alone; when the database is away, nobody waits any longer.
 * @param write `again` is true when the items may have been stored before
 * @param manner how many share a transaction at `most`, and how it is run
 */
export function createCommitGroup<I, O>(
  database: Database,
  write: (tx: Tx, items: readonly I[], again: boolean) => Promise<readonly Outcome<O>[]>,
  { max = 64, ...manner }: Manner & { max?: number } = {},
): CommitGroup<I, O> {
  const waiting: Waiting<I, O>[] = []
  let running = false

  const settle = (entry: Waiting<I, O>, outcome: Outcome<O> | undefined) => {
    if (outcome === undefined) entry.reject(new Error('An item was written without an outcome.'))
    else if (outcome instanceof Error) entry.reject(outcome)
    else entry.resolve(outcome)
  }
  /** Items that arrived in the meantime have waited just as long, and nothing has been done for them yet. */
  const refuse = (entries: readonly Waiting<I, O>[], error: DatabaseAway) => {
    for (const { reject } of entries) reject(error)
    for (const { reject } of waiting.splice(0)) reject(new DatabaseAway(error.reason, error))
  }
  const commit = async (entries: readonly Waiting<I, O>[]): Promise<void> => {
    try {
      const items = entries.map(({ item }) => item)
      const outcomes = await transact(database, (tx, again) => write(tx, items, again), manner)
      entries.forEach((entry, index) => settle(entry, outcomes[index]))
    } catch (error) {
      if (error instanceof DatabaseAway) refuse(entries, error)
      else if (entries.length === 1) entries[0]?.reject(error)
      else for (const entry of entries) await commit([entry])
    }
  }
  const drain = async () => {
    while (waiting.length > 0) await commit(waiting.splice(0, max))
    running = false
  }
  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (running) return
        running = true
        // What arrives in the same turn of the event loop shares the transaction.
        setImmediate(() => void drain())
      }),
  }
}

/** The group of a database. What shares a commit is decided by the database alone; the first use makes the group. */
export function groupOf<I, O>(
  groups: WeakMap<Database, CommitGroup<I, O>>,
  database: Database,
  create: () => CommitGroup<I, O>,
): CommitGroup<I, O> {
  const present = groups.get(database)
  const group = present ?? create()
  if (!present) groups.set(database, group)
  return group
}

type Writing = (tx: Tx) => Promise<unknown>
const sharedBy = new WeakMap<Database, CommitGroup<Writing, true>>()

/**
 * As `transact`, but what arrives together shares one commit. For small writes that many do at once.
 * When one of them throws, each runs again in a transaction of its own, and only that one fails.
 */
export async function transactTogether<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const group = groupOf(sharedBy, database, () => createCommitGroup(database, runInTurn))
  let result: { value: T } | undefined
  await group.add(async (tx) => {
    result = { value: await work(tx) }
  })
  if (!result) throw new Error('A transaction was committed without having run.')
  return result.value
}

async function runInTurn(tx: Tx, works: readonly Writing[]): Promise<true[]> {
  for (const work of works) await work(tx)
  return works.map(() => true)
}
