import { type BulkKind, type JobFilter, maxBulk } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import { readJobs, refPages } from '../../fax/read/list.ts'
import { actionsOf } from '../../fax/read/present.ts'
import { abilitiesOf } from '../../fax/facts/find-job.ts'

/** The statuses in which a job may allow an action; others need not be looked at. */
const statuses = {
  cancel: ['queued', 'in_progress'],
  release: ['held'],
  resend: ['SUCCESS', 'FAILED'],
} as const satisfies Record<BulkKind, readonly JobFilter['status'][]>

/** The filters to look through for an action: those of its statuses where none is asked for. */
function filtersFor(action: BulkKind, filter: JobFilter): JobFilter[] {
  const { status } = filter
  if (status === undefined) return statuses[action].map((one) => ({ ...filter, status: one }))
  const isSpecial = status === 'attention' || status === 'held'
  return isSpecial || (statuses[action] as readonly string[]).includes(status) ? [filter] : []
}

const idsOf = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id)

/** Those that were sent again already: to do so once more takes a look at each. */
async function sentAgain({ database }: GatewayContext, ids: readonly string[]): Promise<Set<string | null>> {
  if (ids.length === 0) return new Set()
  const children = database.db.selectFrom('fax_jobs').select('parent_id').where('parent_id', 'in', ids)
  return new Set((await children.execute()).map(({ parent_id: parent }) => parent))
}

/**
 * The jobs that fit a filter and now allow an action, by the same rule by which their buttons are shown.
 * Faxes that were sent again already are not sent again once more.
 * @param limit looks no further than one more than this
 */
export async function findAble(
  context: GatewayContext,
  action: BulkKind,
  filter: JobFilter,
  limit = maxBulk,
): Promise<{ ids: string[]; isMinimum: boolean }> {
  const ids: string[] = []
  for (const each of filtersFor(action, filter)) {
    for await (const refs of refPages(context.database, each)) {
      const jobs = await readJobs(context.database.db, idsOf(refs))
      const twice = action === 'resend' ? await sentAgain(context, idsOf(jobs)) : new Set()
      for (const job of jobs) {
        if (twice.has(job.id)) continue
        if (actionsOf(job, abilitiesOf(context, job.backend)).includes(action)) ids.push(job.id)
        if (ids.length > limit) return { ids: ids.slice(0, limit), isMinimum: true }
      }
    }
  }
  return { ids, isMinimum: false }
}
