import { type BulkKind, maxBulk } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import { byStatus, type JobFilter } from '../../fax/read/job-filter.ts'
import { readJobs, refPages } from '../../fax/read/list.ts'
import { readCopies, resendRefusalOf } from '../../fax/read/copies.ts'
import { pausedProviders } from '../../base/providers/describe-pause.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { actionsOf } from '../../fax/read/present.ts'
import { abilitiesOf } from '../../fax/facts/find-job.ts'

/** The statuses in which a job may allow an action; others need not be looked at. */
const statuses = {
  cancel: ['queued', 'in_progress', 'waiting'],
  release: ['held'],
  resend: ['SUCCESS', 'FAILED'],
} as const satisfies Record<BulkKind, readonly JobFilter['status'][]>

/** The filters to look through for an action: those of its statuses where none is asked for. */
function filtersFor(action: BulkKind, filter: JobFilter): JobFilter[] {
  return byStatus(filter).flatMap((each) => {
    const { status } = each
    if (status === undefined) return statuses[action].map((one) => ({ ...filter, status: one }))
    const isSpecial = status === 'attention' || status === 'held'
    return isSpecial || (statuses[action] as readonly string[]).includes(status) ? [each] : []
  })
}

const idsOf = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id)

/** Those that are not sent again: what was sent again already, which takes a look at each, and what somebody has to be asked about. */
async function leftOut(context: GatewayContext, jobs: readonly FaxJobRow[], force: boolean): Promise<Set<string>> {
  const all = await readCopies(context, context.database.db, idsOf(jobs))
  const isLeftOut = (job: FaxJobRow) => {
    const copies = all.get(job.id) ?? []
    if (copies.some(({ parent_id: parent }) => parent === job.id)) return true
    return !force && resendRefusalOf(job, isTestFax(context.providers, job), copies) !== null
  }
  return new Set(idsOf(jobs.filter(isLeftOut)))
}

/**
 * The jobs that fit a filter and now allow an action, by the same rule by which their buttons are shown.
 * Faxes that were sent again already are not sent again once more, nor without `force` those that a single call refuses.
 * @param limit looks no further than one more than this
 */
export async function findAble(
  context: GatewayContext,
  action: BulkKind,
  filter: JobFilter,
  { limit = maxBulk, force = false }: { limit?: number; force?: boolean | undefined } = {},
): Promise<{ ids: string[]; isMinimum: boolean }> {
  const found = new Set<string>()
  const paused = pausedProviders(context)
  for (const each of filtersFor(action, filter)) {
    for await (const refs of refPages(context.database, { ...each, paused })) {
      const jobs = await readJobs(context.database.db, idsOf(refs))
      const passed = action === 'resend' ? await leftOut(context, jobs, force) : new Set()
      for (const job of jobs) {
        if (passed.has(job.id)) continue
        if (actionsOf(job, abilitiesOf(context, job.backend)).includes(action)) found.add(job.id)
        if (found.size > limit) return { ids: [...found].slice(0, limit), isMinimum: true }
      }
    }
  }
  return { ids: [...found], isMinimum: false }
}
