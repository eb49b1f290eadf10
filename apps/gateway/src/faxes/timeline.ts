import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

export interface TimelineEntry {
  at: Date
  event: string
  /** Without clock times: they are in `until`. */
  sentence: string
  until?: Date
}

/**
 * Adds an entry to a job's timeline; with `once`, only when no entry says the same.
 * The caller holds the job, so that two entries do not get one number.
 * @returns whether it was added
 */
export async function noteInTimeline(tx: Tx, jobId: string, entry: TimelineEntry, how?: 'once'): Promise<boolean> {
  const { at, event, sentence, until } = entry
  const { n, same } = await tx
    .selectFrom('fax_timeline')
    .where('job_id', '=', jobId)
    .select(sql<number>`coalesce(max(n), 0)`.as('n'))
    .select(sql<number | string>`coalesce(sum(case when sentence = ${sentence} then 1 else 0 end), 0)`.as('same'))
    .executeTakeFirstOrThrow()
  if (how === 'once' && Number(same) > 0) return false
  const row = { job_id: jobId, n: n + 1, at: at.toISOString(), event, sentence, until: until?.toISOString() ?? null }
  await tx.insertInto('fax_timeline').values(row).execute()
  return true
}
