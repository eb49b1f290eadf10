import type { Tx } from '../db/database.ts'

/** A change of the kept number of jobs: `status` as on the wire, or `attention` for uncertain ones. */
export interface CountChange {
  backend: string
  status: string
  by: number
}

/**
 * Keeps the totals that lists and the dashboard show, in the transaction that moves the jobs.
 * Rows are touched in one order, so that two transactions cannot wait for each other.
 */
export async function changeCounts(tx: Tx, changes: readonly CountChange[]): Promise<void> {
  const sums = new Map<string, CountChange>()
  for (const change of changes) {
    const key = `${change.backend} ${change.status}`
    sums.set(key, { ...change, by: change.by + (sums.get(key)?.by ?? 0) })
  }
  const inOrder = [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change)
  for (const { backend, status, by } of inOrder) {
    if (by === 0) continue
    await tx
      .insertInto('job_counts')
      .values({ backend, status, jobs: by })
      .onConflict((conflict) =>
        conflict.columns(['backend', 'status']).doUpdateSet((eb) => ({ jobs: eb('job_counts.jobs', '+', by) })),
      )
      .execute()
  }
}
