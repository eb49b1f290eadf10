import { transact } from '../../base/db/transact.ts'
import { faxWork } from '../move/ledger.ts'
import type { GatewayContext } from '../../base/context.ts'

/** What a change of a provider's settings may have mended: credentials, an address, hours in which it is not to call. */
const mendable = ['bad_credentials', 'unreachable', 'rate_limited'] as const
const atOnce = 500

/** Resumes at once the faxes that wait because of their provider, now that its settings have changed. */
export async function resumeFaxes(context: GatewayContext, provider: string): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined;) last = await resumeSome(context, provider, last)
}

/** @returns the last of them, when there may be more behind it */
function resumeSome({ database, queue, now }: GatewayContext, provider: string, after: string) {
  return transact(database, async (tx): Promise<string | undefined> => {
    const waiting = tx
      .selectFrom('fax_jobs as job')
      .innerJoin('queue', 'queue.subject_id', 'job.id')
      .select('job.id')
      .where('queue.kind', '=', faxWork)
      .where('queue.lane', '=', provider)
      .where('queue.due_at', '>', now().toISOString())
      .where('job.id', '>', after)
      .where('job.hold', 'is', null)
      .where((eb) =>
        eb.or([
          eb('job.phase', '=', 'queued'),
          eb.and([eb('job.phase', '=', 'waiting_retry'), eb('job.error_kind', 'in', [...mendable])]),
        ]),
      )
      .orderBy('job.id')
      .limit(atOnce)
    const jobs = await waiting.$if(database.engine === 'postgres', (query) => query.forUpdate('job')).execute()
    const later = { hold: false }
    await queue.settle(
      tx,
      faxWork,
      jobs.map(({ id }) => ({ subjectId: id, later })),
    )
    return jobs.length === atOnce ? jobs.at(-1)?.id : undefined
  })
}
