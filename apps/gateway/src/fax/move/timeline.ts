import { sql } from 'kysely'
import type { Tx } from '../../base/db/database.ts'
import { insertAll } from '../../base/db/insert-all.ts'
import type { FaxTimelineRow } from '../../base/db/tables/tables.ts'

export interface TimelineEntry {
  at: Date
  event: string
  /** Without clock times: they are in `until`. */
  sentence: string
  until?: Date
}

/**
 * Adds entries to the timelines of jobs, in order.
 * The caller holds the jobs, so that two entries do not get one number.
 */
export async function addToTimeline(tx: Tx, entries: readonly Omit<FaxTimelineRow, 'n'>[]): Promise<void> {
  if (entries.length === 0) return
  const ids = [...new Set(entries.map(({ job_id }) => job_id))]
  const lasts = await tx
    .selectFrom('fax_timeline')
    .where('job_id', 'in', ids)
    .groupBy('job_id')
    .select(['job_id', sql<number>`max(n)`.as('n')])
    .execute()
  const numbers = new Map(lasts.map(({ job_id, n }) => [job_id, n]))
  const rows = entries.map((entry) => {
    const n = (numbers.get(entry.job_id) ?? 0) + 1
    numbers.set(entry.job_id, n)
    return { ...entry, n }
  })
  await insertAll(tx, 'fax_timeline', rows)
}
