import { transact } from '../../db/transact.ts'
import { faxWork } from '../move/ledger.ts'
import type { GatewayContext } from '../../context.ts'

/** Resumes at once the faxes that wait because a provider rejected our credentials, now that these have changed. */
export async function resumeFaxes({ database, queue }: GatewayContext, provider: string): Promise<void> {
  await transact(database, async (tx) => {
    const waiting = tx
      .selectFrom('fax_jobs')
      .select('id')
      .where('status', '=', 'in_progress')
      .where('backend', '=', provider)
      .where('phase', '=', 'waiting_retry')
      .where('error_kind', '=', 'bad_credentials')
      .orderBy('id')
    const jobs = await waiting.$if(database.engine === 'postgres', (query) => query.forUpdate()).execute()
    const later = { hold: false }
    await queue.settle(
      tx,
      faxWork,
      jobs.map(({ id }) => ({ subjectId: id, later })),
    )
  })
}
