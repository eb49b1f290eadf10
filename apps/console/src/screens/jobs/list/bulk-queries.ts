import type { BulkAction, BulkKind, JobSummary } from '@faxdeck/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { gatewayNow } from '../../../api/live/gateway-clock.ts'
import { randomKey } from '../../../api/random-key.ts'
import { asQuery, type FilterFields } from './job-filter.ts'
import { refreshes, resendFax } from '../queries.ts'

const bulkCalls = {
  cancel: (id: string) => client.cancelJob({ params: { id } }),
  release: (id: string) => client.releaseJob({ params: { id } }),
  resend: (id: string, force: boolean) => resendFax(id, force ? { force } : {}),
}

/** What is done with several jobs; `force`: also what a single call refuses to send again. */
export interface JobsPlan {
  action: BulkKind
  jobs: readonly JobSummary[]
  force: boolean
  /** How many are left out, because a person has to agree to each. */
  leftOut: number
}

/** Those that can be sent again unasked; where there are none, all of them, after a question of its own. */
export function planJobs(action: BulkKind, jobs: readonly JobSummary[]): JobsPlan {
  const unasked = action === 'resend' ? jobs.filter((job) => job.resend_refusal === null) : jobs
  const force = unasked.length === 0
  return { action, jobs: force ? jobs : unasked, force, leftOut: force ? 0 : jobs.length - unasked.length }
}

/** Does the same with several jobs, one after another. A refusal of one does not keep the others from it. */
export async function changeJobs({ action, jobs, force }: JobsPlan) {
  const failed: Error[] = []
  for (const { id } of jobs) {
    await bulkCalls[action](id, force).catch((error: unknown) => failed.push(error as Error))
  }
  return { action, done: jobs.length - failed.length, failed }
}

export const bulkRefreshes = [...refreshes, ['jobs', 'near'], ['jobs', 'one']]

/** What a person is asked about: how many, of which filter at which moment, and the id under which it happens once. */
export interface BulkPlan {
  action: BulkKind
  filter: ReturnType<typeof asQuery>
  count: number
  isMinimum: boolean
  id: string
  force: boolean
  leftOut: number
}

/** Counts what an action would change. */
export async function planBulk(action: BulkKind, fields: FilterFields): Promise<BulkPlan> {
  const filter = asQuery(fields, gatewayNow())
  const { count, is_minimum: isMinimum } = await client.countBulk({ query: { ...filter, action } })
  const plan = { action, filter, count, isMinimum, id: randomKey(), force: false, leftOut: 0 }
  if (action !== 'resend' || isMinimum) return plan
  const all = await client.countBulk({ query: { ...filter, action, force: 'true' } })
  if (count > 0) return { ...plan, leftOut: all.count - count }
  return { ...plan, count: all.count, isMinimum: all.is_minimum, force: all.count > 0 }
}

export const startBulk = ({ id, action, filter, count, force }: BulkPlan): Promise<BulkAction> =>
  client.createBulk({ body: { id, action, filter, confirmed: count, ...(force && { force }) } })

export const stopBulk = (id: string): Promise<BulkAction> => client.stopBulk({ params: { id } })

/** How far a bulk action has come; asked for every second while it goes on. */
export const bulkQuery = (id: string) =>
  queryOptions({
    queryKey: ['bulk', id],
    queryFn: ({ signal }) => client.getBulk({ params: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.finished_at ? false : 1000),
  })
