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
  resend: (id: string) => resendFax(id),
}

/** Does the same with several jobs, one after another. A refusal of one does not keep the others from it. */
export async function changeJobs({ action, jobs }: { action: BulkKind; jobs: readonly JobSummary[] }) {
  const failed: Error[] = []
  for (const { id } of jobs) {
    await bulkCalls[action](id).catch((error: unknown) => failed.push(error as Error))
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
}

/** Counts what an action would change. */
export async function planBulk(action: BulkKind, fields: FilterFields): Promise<BulkPlan> {
  const filter = asQuery(fields, gatewayNow())
  const { count, is_minimum: isMinimum } = await client.countBulk({ query: { ...filter, action } })
  return { action, filter, count, isMinimum, id: randomKey() }
}

export const startBulk = ({ id, action, filter, count }: BulkPlan): Promise<BulkAction> =>
  client.createBulk({ body: { id, action, filter, confirmed: count } })

export const stopBulk = (id: string): Promise<BulkAction> => client.stopBulk({ params: { id } })

/** How far a bulk action has come; asked for every second while it goes on. */
export const bulkQuery = (id: string) =>
  queryOptions({
    queryKey: ['bulk', id],
    queryFn: ({ signal }) => client.getBulk({ params: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.finished_at ? false : 1000),
  })
