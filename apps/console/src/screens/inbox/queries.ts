import type { InboundFax, InputOf, Routes } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'
import {
  infiniteQueryOptions,
  queryOptions,
  useQueryClient,
  type InfiniteData,
  type QueryKey,
} from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { saveFile } from '../../api/download.ts'
import { useAction } from '../../api/use-action.ts'
import { watch } from '../../api/watch.ts'

const pageSize = 100
/** So many pages may be read every 15 s: the gateway allows 30 readings of the list in a minute. */
const pagesPerRound = 4

const listKey = ['inbox', 'list']
const refreshes = [listKey, ['health-status']]

/** Received faxes, newest first; every 15 s, less often when very many are shown. */
export const listQuery = infiniteQueryOptions<InboundFax[], CallProblem, InfiniteData<InboundFax[]>, QueryKey, string>({
  queryKey: listKey,
  queryFn: ({ pageParam, signal }) =>
    client.listInbound({ query: { limit: pageSize, ...(pageParam && { cursor: pageParam }) } }, { signal }),
  initialPageParam: '',
  getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.cursor),
  meta: { live: ['inbound'], apartMs: 6000 },
  refetchInterval: ({ state: { data } }) => watch.inbox * Math.ceil((data?.pages.length ?? 1) / pagesPerRound),
})

/** One received fax. */
export const faxQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'one', id],
    queryFn: ({ signal }) => client.getInbound({ params: { id } }, { signal }),
    meta: { live: ['inbound'], apartMs: 6000 },
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? watch.inbox : false),
  })

/** One page of a received fax, `width` pixels wide. */
export const loadFaxPage = (id: string, page: number, width: number) => (signal: AbortSignal) =>
  client.getInboundPage({ params: { id, page }, query: { width } }, { signal })

/** The addresses to register with the inbound provider. */
export const callbacksQuery = queryOptions({
  queryKey: ['inbox', 'callbacks'],
  queryFn: ({ signal }) => client.listCallbacks({ query: {} }, { signal }),
})

/**
 * What can be done with a received fax.
 * @param onFailure hears of a failure where there is no room to show it, and undefined when the next try begins
 */
export function useFaxActions(onFailure?: (failure: Error | undefined) => void) {
  const told = <Reply>(work: Promise<Reply>) => {
    onFailure?.(undefined)
    return work.catch((error: unknown) => {
      onFailure?.(error as Error)
      throw error
    })
  }
  const queries = useQueryClient()
  const show = (fax: InboundFax) => {
    queries.setQueryData(faxQuery(fax.id).queryKey, fax)
    queries.setQueryData(listQuery.queryKey, (list) => {
      const update = (row: InboundFax) => (row.id === fax.id ? fax : row)
      return list && { ...list, pages: list.pages.map((page) => page.map(update)) }
    })
  }
  const shown = { onDone: show, refreshes }
  return {
    mark: useAction(
      ({ id, read }: { id: string; read: boolean }) => client.markInboundRead({ params: { id }, body: { read } }),
      shown,
    ),
    fetchAgain: useAction((id: string) => told(client.fetchInboundAgain({ params: { id } })), shown),
    downloadOriginal: useAction((id: string) => told(client.getInboundOriginal({ params: { id } })), {
      onDone: (pdf, id) => saveFile(pdf, `inbound_${id}_original.pdf`),
    }),
    download: useAction((id: string) => told(client.getInboundPdf({ params: { id } })), {
      onDone: (pdf, id) => saveFile(pdf, `inbound_${id}.pdf`),
    }),
  }
}

export type Simulation = InputOf<Routes['simulateInbound']>['body']

/** Receives a made test fax. The call serves the wizard too; on this screen its failure has a name of its own. */
export function useSimulation(onDone: () => void) {
  const simulate = (body: Simulation) =>
    client.simulateInbound({ body }).catch((problem: unknown) => {
      throw Object.assign(Object.create(problem as CallProblem) as CallProblem, {
        failure: 'Test add failed',
      })
    })
  return useAction(simulate, { onDone, refreshes })
}
