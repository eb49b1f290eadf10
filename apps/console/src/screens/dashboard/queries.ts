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

export interface Facts {
  hasSent: boolean
  hasKey: boolean
  hasReceived: boolean
  hasPeople: boolean
  /** Whether somebody else has opened the console. */
  isOpen: boolean
}

interface Looks {
  /** A gateway that does not receive is not asked what came. */
  receives: boolean
  /** Whether the viewer may see people. */
  people: boolean
}

/** What has been done here so far: one row of each list is enough. What the viewer may not see is not asked for. */
export const firstStepsQuery = (looks: Looks) =>
  queryOptions({
    queryKey: ['first-steps', looks],
    queryFn: async ({ signal }): Promise<Facts> => {
      const { jobs } = await client.listJobs({ query: { limit: 1 } }, { signal })
      const keys = await client.listApiKeys({}, { signal })
      const received = looks.receives ? await client.listInbound({ query: { limit: 1 } }, { signal }) : []
      const people = looks.people ? await client.listPeople({}, { signal }) : []
      return {
        hasSent: jobs.length > 0,
        hasKey: keys.length > 0,
        hasReceived: received.length > 0,
        hasPeople: people.length > 0,
        // Whoever signed in came by an address that others can open.
        isOpen: people.some(({ last_sign_in_at: at }) => at !== null),
      }
    },
    staleTime: 30_000,
    meta: { live: ['jobs', 'inbound'], apartMs: 30_000 },
    retry: false,
  })
