import type { Database } from '../../base/db/database.ts'
import type { ProviderAccess } from '../../base/providers/access.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import { reverseDigits } from '../../base/number.ts'
import { visibleIn, type VisibleFaxes } from '../../access/visible.ts'

interface RecipientContext {
  database: Database
  providers: Pick<ProviderAccess, 'find'>
}

interface Recipient {
  to: string
  faxed_before: number
  last_delivered_at: string | null
}

/** What is known of a number, counting up to 1,000 faxes of those that may be seen. What was only a test was not delivered. */
export async function lookUpRecipient(
  { database, providers }: RecipientContext,
  to: string,
  visible: VisibleFaxes,
): Promise<Recipient> {
  let faxes = database.db
    .selectFrom('fax_jobs')
    .select(['backend', 'is_test', 'status', 'finished_at'])
    .where('to_reversed', '=', reverseDigits(to))
  const seen = visibleIn(visible, 'fax_jobs')
  if (seen) faxes = faxes.where(seen)
  const jobs = await faxes.limit(1000).execute()
  const delivered = jobs.flatMap((job) =>
    job.status === 'SUCCESS' && job.finished_at && !isTestFax(providers, job) ? [job.finished_at] : [],
  )
  return { to, faxed_before: jobs.length, last_delivered_at: delivered.toSorted().at(-1) ?? null }
}
