import type { LiveMessage, LiveSubject } from '@faxdeck/contract'
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { readLive } from './live.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** What the answer is about: it is asked for again as soon as the gateway says that this has changed. */
      live?: readonly LiveSubject[]
      /** The one job it is about. */
      job?: string
      /** The one broadcast it is about. */
      broadcast?: string
      /** At least so long between two readings of one page for this reason, where the gateway counts them. */
      apartMs?: number
    }
  }
}

const pagesOf = ({ state: { data } }: Query) => (data as Partial<InfiniteData<unknown>> | undefined)?.pages?.length ?? 1

function concerns({ meta }: Query, { changed, job_ids: jobs, broadcast_ids: broadcasts }: LiveMessage): boolean {
  if (!meta?.live?.some((subject) => changed.includes(subject))) return false
  if (meta.broadcast !== undefined && broadcasts !== undefined) return broadcasts.includes(meta.broadcast)
  return meta.job === undefined || jobs === undefined || jobs.includes(meta.job)
}

/** What a query shows becomes fresh soon, never by two readings at once, and never left out because one is under way. */
function createRefresher(queries: QueryClient) {
  const busy = new Set<string>()
  const again = new Set<string>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const refresh = async (query: Query): Promise<void> => {
    const { queryHash: hash, queryKey } = query
    if (busy.has(hash)) {
      again.add(hash)
      return
    }
    busy.add(hash)
    await queries.invalidateQueries({ queryKey, exact: true })
    const rest = () => {
      timers.delete(timer)
      busy.delete(hash)
      if (again.delete(hash)) void refresh(query)
    }
    const timer = setTimeout(rest, (query.meta?.apartMs ?? 0) * pagesOf(query))
    timers.add(timer)
  }
  return { refresh, stop: () => timers.forEach(clearTimeout) }
}

/**
 * Makes stale what the gateway says has changed, while the page is seen: hidden pages ask for nothing, and a browser
 * opens only few connections. The usual intervals go on, so that a stream that is cut costs seconds and nothing else.
 * @returns a function that stops it
 */
export function refreshLive(queries: QueryClient): () => void {
  const refresher = createRefresher(queries)
  const refreshWhere = (wanted: (query: Query) => boolean) => {
    for (const query of queries.getQueryCache().findAll({ predicate: wanted })) void refresher.refresh(query)
  }
  let reading: AbortController | undefined
  let openedBefore = false
  const onOpen = () => {
    // What happened while nobody listened was not told.
    if (openedBefore) refreshWhere(({ meta }) => meta?.live !== undefined)
    openedBefore = true
  }
  const follow = () => {
    const wanted = document.visibilityState === 'visible'
    if (wanted === (reading !== undefined)) return
    reading?.abort()
    reading = wanted ? new AbortController() : undefined
    const onMessage = (message: LiveMessage) => refreshWhere((query) => concerns(query, message))
    if (reading) void readLive({ onOpen, onMessage }, reading.signal)
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    reading?.abort()
    refresher.stop()
  }
}
