import type { Database } from '../../base/db/database.ts'
import { findJob } from '../../fax/facts/find-job.ts'

/** A fax and its attempts, the first one first; undefined for one that is not known. */
export async function readLife({ db }: Pick<Database, 'db'>, id: string) {
  const job = await findJob(db, id)
  if (!job) return undefined
  const attempts = await db
    .selectFrom('fax_attempts')
    .where('job_id', '=', id)
    .orderBy('number')
    .select(['number', 'provider', 'started_at', 'ended_at', 'kind', 'pages_confirmed'])
    .execute()
  return { job, attempts }
}
export type FaxLife = NonNullable<Awaited<ReturnType<typeof readLife>>>
