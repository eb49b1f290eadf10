import type { ActivityRange } from '@faxdeck/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { configQuery as config, healthQuery as health } from '../../api/overview.ts'
import { watch } from '../../api/live/watch.ts'

const often = { refetchInterval: watch.dashboard }

export const configQuery = { ...config, ...often }
export const healthQuery = { ...health, ...often }
export const activityQuery = (range: ActivityRange) =>
  queryOptions({
    queryKey: ['activity', range],
    queryFn: ({ signal }) => client.getActivity({ query: { range } }, { signal }),
    meta: { live: ['jobs', 'inbound'] },
    placeholderData: keepPreviousData,
    ...often,
  })

/** What has been done here so far: one row of each list is enough. A gateway that does not receive is not asked what came. */
export const firstStepsQuery = (receives: boolean) =>
  queryOptions({
    queryKey: ['first-steps', receives],
    queryFn: async ({ signal }) => {
      const { jobs } = await client.listJobs({ query: { limit: 1 } }, { signal })
      const keys = await client.listApiKeys({}, { signal })
      const received = receives ? await client.listInbound({ query: { limit: 1 } }, { signal }) : []
      return { hasSent: jobs.length > 0, hasKey: keys.length > 0, hasReceived: received.length > 0 }
    },
    staleTime: 30_000,
    meta: { live: ['jobs', 'inbound'], apartMs: 30_000 },
    retry: false,
  })
