import type { Database, Tx } from './database.ts'
import { transact } from './transact.ts'

interface Waiting<I, O> {
  item: I
  resolve: (outcome: O) => void
  reject: (error: unknown) => void
}

/** Outcome of one item in a shared transaction: an answer, or a refusal that leaves its neighbours alone. */
export type Outcome<O> = O | Error

export interface CommitGroup<I, O> {
  /** Resolves once the item is committed, together with those that arrived while the last commit was running. */
  add: (item: I) => Promise<O>
}

/**
 * Lets small writes share transactions, so that many of them cost one sync to disk.
 * `write` stores all items and answers one outcome each, in order. When it throws, every item is tried by itself,
 * so that a bad one fails alone.
 */
export function createCommitGroup<I, O>(
  database: Database,
  write: (tx: Tx, items: readonly I[]) => Promise<readonly Outcome<O>[]>,
  most = 64,
): CommitGroup<I, O> {
  const waiting: Waiting<I, O>[] = []
  let running = false

  const settle = (entry: Waiting<I, O>, outcome: Outcome<O> | undefined) => {
    if (outcome === undefined) entry.reject(new Error('An item was written without an outcome.'))
    else if (outcome instanceof Error) entry.reject(outcome)
    else entry.resolve(outcome)
  }
  const commit = async (entries: readonly Waiting<I, O>[]): Promise<void> => {
    try {
      const items = entries.map(({ item }) => item)
      const outcomes = await transact(database, (tx) => write(tx, items))
      entries.forEach((entry, index) => settle(entry, outcomes[index]))
    } catch (error) {
      if (entries.length === 1) return entries[0]?.reject(error)
      for (const entry of entries) await commit([entry])
    }
  }
  const drain = async () => {
    while (waiting.length > 0) await commit(waiting.splice(0, most))
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

type Writing = (tx: Tx) => Promise<unknown>
const sharedBy = new WeakMap<Database, CommitGroup<Writing, true>>()

/**
 * As `transact`, but what arrives together shares one commit. For small writes that many do at once.
 * When one of them throws, each runs again in a transaction of its own, and only that one fails.
 */
export async function transactTogether<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const present = sharedBy.get(database)
  const group = present ?? createCommitGroup(database, runInTurn)
  if (!present) sharedBy.set(database, group)
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
