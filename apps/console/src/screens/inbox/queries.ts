import type { InboundFax, InputOf, ReplyOf, Routes } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { saveFile } from '../../api/download.ts'
import { notePrint } from '../../api/fax-views.ts'
import { gatewayNow } from '../../api/live/gateway-clock.ts'
import { pause } from '../../api/live/pause.ts'
import { watch } from '../../api/live/watch.ts'
import { useAction } from '../../api/use-action.ts'
import { printPage } from '../../ui/print/print-page.ts'
import { countFaxes } from '../../ui/words/figures.ts'

const pageSize = 100
/** So many pages may be read every 15 s: the gateway allows 30 readings of the list in a minute. */
const pagesPerRound = 4

/** A search begins when the typing pauses. */
const typingPause = 250

const listKey = ['inbox', 'list']
const countKey = ['inbox', 'count']
const refreshes = [listKey, countKey, ['health-status']]

/** Which faxes a person looks at: a view, and what they searched for. */
export interface InboxFilter {
  view: 'all' | 'unread' | 'failed'
  q: string
  /** The id of a group; '' for any. */
  group: string
}

const viewQuery = { all: {}, unread: { unread: 'true' }, failed: { status: 'failed' } } as const
const filterQuery = ({ view, q, group }: InboxFilter) => ({
  ...viewQuery[view],
  ...(q && { q }),
  ...(group && { group }),
})

/** Received faxes that fit, newest first; every 15 s, less often when very many are shown. */
export const listQuery = (filter: InboxFilter) =>
  infiniteQueryOptions<InboundFax[], CallProblem, InfiniteData<InboundFax[]>, QueryKey, string>({
    queryKey: [...listKey, filter],
    queryFn: async ({ pageParam, signal }) => {
      if (filter.q && !pageParam) await pause(typingPause, signal)
      const query = { limit: pageSize, ...filterQuery(filter), ...(pageParam && { cursor: pageParam }) }
      return client.listInbound({ query }, { signal })
    },
    placeholderData: keepPreviousData,
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.cursor),
    meta: { live: ['inbound'], apartMs: 6000 },
    refetchInterval: ({ state: { data } }) => watch.inbox * Math.ceil((data?.pages.length ?? 1) / pagesPerRound),
  })

/** How many fit; asked for only when not all of them are shown anyway. */
export const countQuery = (filter: InboxFilter, wanted: boolean) =>
  queryOptions({
    queryKey: [...countKey, filter],
    queryFn: ({ signal }) => client.countInbound({ query: filterQuery(filter) }, { signal }),
    enabled: wanted,
    meta: { live: ['inbound'], apartMs: 6000 },
  })

/** Where the words of a search stand on the pages of a fax. */
export const marksQuery = (id: string, q: string) =>
  queryOptions({
    queryKey: ['inbox', 'marks', id, q],
    queryFn: async ({ signal }) => {
      const { pages } = await client.getInboundMarks({ params: { id }, query: { q } }, { signal })
      return new Map(pages.map(({ page, places }) => [page, places]))
    },
    enabled: q !== '',
  })

/** One received fax. */
const faxQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'one', id],
    queryFn: ({ signal }) => client.getInbound({ params: { id } }, { signal }),
    meta: { live: ['inbound'], apartMs: 6000 },
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? watch.inbox : false),
  })

export type FaxDetail = ReplyOf<Routes['getInbound']>

/** One received fax; undefined when it may not be read any more, as when the time of an opening is over. */
export function useFax(id: string) {
  const { data, error, isFetching, refetch } = useQuery(faxQuery(id))
  return { fax: error?.answer?.code === 'fax_not_found' ? undefined : data, error, isFetching, refetch }
}

/** One page of a received fax, `width` pixels wide. */
export const loadFaxPage = (id: string, page: number, width: number) => (signal: AbortSignal) =>
  client.getInboundPage({ params: { id, page }, query: { width } }, { signal })

/** The addresses to register with the inbound provider. */
export const callbacksQuery = queryOptions({
  queryKey: ['inbox', 'callbacks'],
  queryFn: ({ signal }) => client.listCallbacks({ query: {} }, { signal }),
})

/** So many faxes are marked in one call. */
const markedAtOnce = 500

async function markMany({ ids, read }: { ids: readonly string[]; read: boolean }): Promise<number> {
  let changed = 0
  for (let at = 0; at < ids.length; at += markedAtOnce) {
    const body = { ids: ids.slice(at, at + markedAtOnce), read }
    changed += (await client.markManyInboundRead({ body })).changed
  }
  return changed
}

/** What can be done with many received faxes at once. */
export function useManyFaxes() {
  const nameOf = (ids: readonly string[], ending: string) => `inbound_${ids.length}_faxes.${ending}`
  return {
    mark: useAction(markMany, { refreshes: [...refreshes, ['inbox', 'one']] }),
    downloadPdf: useAction((ids: string[]) => client.downloadInboundPdf({ body: { ids } }), {
      onDone: (pdf, ids) => saveFile(pdf, nameOf(ids, 'pdf')),
    }),
    downloadZip: useAction((ids: string[]) => client.downloadInboundZip({ body: { ids } }), {
      onDone: (zip, ids) => saveFile(zip, nameOf(ids, 'zip')),
    }),
  }
}

/** Marks as read what was received until now. */
export function useMarkAll(onDone: () => void) {
  return useAction(() => client.markAllInboundRead({ body: { until: new Date(gatewayNow()).toISOString() } }), {
    onDone,
    refreshes,
    toast: ({ changed }) => `${countFaxes(changed)} marked as read`,
  })
}

/**
 * What can be done with a received fax.
 * @param onFailure hears of a failure where there is no room to show it, and undefined when the next try begins
 */
export function useFaxActions(onFailure?: (failure: Error | undefined) => void) {
  const reported = <Reply>(work: Promise<Reply>) => {
    onFailure?.(undefined)
    return work.catch((error: unknown) => {
      onFailure?.(error as Error)
      throw error
    })
  }
  const queries = useQueryClient()
  const show = (fax: InboundFax) => {
    queries.setQueryData(faxQuery(fax.id).queryKey, (before) => before && { ...before, ...fax })
    const update = (row: InboundFax) => (row.id === fax.id ? fax : row)
    queries.setQueriesData<InfiniteData<InboundFax[]>>(
      { queryKey: listKey },
      (list) => list && { ...list, pages: list.pages.map((page) => page.map(update)) },
    )
  }
  const shown = { onDone: show, refreshes }
  return {
    mark: useAction(
      ({ id, read }: { id: string; read: boolean }) => client.markInboundRead({ params: { id }, body: { read } }),
      shown,
    ),
    fetchAgain: useAction((id: string) => reported(client.fetchInboundAgain({ params: { id } })), shown),
    downloadOriginal: useAction((id: string) => reported(client.getInboundOriginal({ params: { id } })), {
      onDone: (pdf, id) => saveFile(pdf, `inbound_${id}_original.pdf`),
    }),
    download: useAction((id: string) => reported(client.getInboundPdf({ params: { id } })), {
      onDone: (pdf, id) => saveFile(pdf, `inbound_${id}.pdf`),
    }),
  }
}

export type Simulation = InputOf<Routes['simulateInbound']>['body']

/** Receives a made test fax. The call serves the wizard too; on this screen its failure has a name of its own. */
export function useSimulation(onDone: () => void) {
  const simulate = (body: Simulation) =>
    client.simulateInbound({ body }).catch((problem: unknown) => {
      throw Object.assign(Object.create(problem as CallProblem) as CallProblem, { failure: 'Test add failed' })
    })
  return useAction(simulate, { onDone, refreshes, toast: 'Test fax received' })
}

/** Prints the open fax once that is recorded: what cannot be recorded is not printed. */
export const usePrint = () =>
  useAction(async (id: string) => {
    await notePrint(id)
    await printPage()
  })
