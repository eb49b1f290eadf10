import type { Database } from '../db/database.ts'
import { reverseDigits } from './number.ts'

interface Recipient {
  to: string
  faxed_before: number
  last_delivered_at: string | null
}

/** What is known of a number, counting up to 1,000 faxes. */
export async function lookUpRecipient(database: Database, to: string): Promise<Recipient> {
  const jobs = await database.db
    .selectFrom('fax_jobs')
    .select(['status', 'finished_at'])
    .where('to_reversed', '=', reverseDigits(to))
    .limit(1000)
    .execute()
  const delivered = jobs.flatMap((job) => (job.status === 'SUCCESS' && job.finished_at ? [job.finished_at] : []))
  return { to, faxed_before: jobs.length, last_delivered_at: delivered.toSorted().at(-1) ?? null }
}
