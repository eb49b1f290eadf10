import type { Broadcast, BroadcastCounts, InputOf, Routes } from '@faxdeck/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { saveFile } from '../../api/download.ts'
import { watch } from '../../api/live/watch.ts'
import { withKeptKey } from '../../api/random-key.ts'
import { useAction } from '../../api/use-action.ts'

/** Between two readings while faxes move. */
const apartMs = 1000
const atOnce = 20

/** The broadcasts, newest first. */
export const broadcastsQuery = infiniteQueryOptions({
  queryKey: ['broadcasts', 'list'],
  queryFn: ({ pageParam, signal }) =>
    client.listBroadcasts({ query: { limit: atOnce, ...(pageParam && { cursor: pageParam }) } }, { signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor ?? undefined,
  meta: { live: ['broadcasts'], apartMs },
  refetchInterval: watch.jobs,
})

const broadcastKey = (id: string) => ['broadcasts', 'one', id]

/** One broadcast with its counts. */
export const broadcastQuery = (id: string) =>
  queryOptions({
    queryKey: broadcastKey(id),
    queryFn: ({ signal }) => client.getBroadcast({ params: { id } }, { signal }),
    meta: { live: ['broadcasts'], broadcast: id, apartMs },
    refetchInterval: ({ state: { data } }) => (data?.state === 'finished' ? false : watch.jobs),
  })

const recipientsAtOnce = 100

/** The faxes of a broadcast, or those with one outcome. */
export const recipientsQuery = (broadcast: string, outcome: keyof BroadcastCounts | undefined) =>
  infiniteQueryOptions({
    queryKey: ['broadcasts', 'recipients', broadcast, outcome],
    queryFn: ({ pageParam, signal }) => {
      const query = { broadcast, outcome, limit: recipientsAtOnce, ...(pageParam && { cursor: pageParam }) }
      return client.listJobs({ query }, { signal })
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    meta: { live: ['broadcasts'], broadcast, apartMs: 3 * apartMs },
  })

export type ResendBroadcast = NonNullable<InputOf<Routes['resendBroadcast']>['body']>

/** Sends the faxes of a broadcast that failed again. */
const resend = (id: string, body: ResendBroadcast): Promise<Broadcast> =>
  withKeptKey(`broadcast ${id}`, (options) => client.resendBroadcast({ params: { id }, body }, options))

/** What a person can do with a broadcast. `onResent` hears of the new one. */
export function useBroadcastActions(id: string, onResent: (made: Broadcast) => void) {
  const queries = useQueryClient()
  const params = { id }
  const shown = {
    onDone: (made: Broadcast) => queries.setQueryData(broadcastKey(id), made),
    refreshes: [['broadcasts', 'list'], ['jobs', 'newest'], ['health-status']],
  }
  return {
    pause: useAction(() => client.pauseBroadcast({ params }), shown),
    resume: useAction(() => client.resumeBroadcast({ params }), shown),
    cancel: useAction(() => client.cancelBroadcast({ params }), shown),
    resend: useAction((choice: ResendBroadcast) => resend(id, choice), {
      onDone: onResent,
      refreshes: [['broadcasts'], ['jobs', 'newest']],
    }),
    save: useAction(() => client.exportBroadcast({ params }), {
      onDone: (csv) => saveFile(csv, `broadcast_${id.slice(0, 8)}.csv`),
    }),
  }
}
