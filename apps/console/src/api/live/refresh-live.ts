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
      /** The answer with what a message carries; undefined where it must be asked for. */
      patch?: (data: never, message: LiveMessage) => unknown
    }
  }
}

const pagesOf = ({ state: { data } }: Query) => (data as Partial<InfiniteData<unknown>> | undefined)?.pages?.length ?? 1

function concerns({ meta }: Query, { changed, job_ids: jobs, broadcast_ids: broadcasts }: LiveMessage): boolean {
  if (!meta?.live?.some((subject) => changed.includes(subject))) return false
  if (meta.broadcast !== undefined && broadcasts !== undefined) return broadcasts.includes(meta.broadcast)
  return meta.job === undefined || jobs === undefined || jobs.includes(meta.job)
}

export interface Pace {
  /** Between two questions of any kind: a storm of changes costs two a second, on every screen. */
  betweenMs?: number
  /** Between two questions for the same: with the 400 ms in which the gateway gathers changes, each is at most a second behind. */
  restMs?: number
}

/**
 * What a query shows becomes fresh soon, never by two readings at once, and never left out because one is under way.
 * Questions take turns: what has waited longest comes first.
 */
function createRefresher(queries: QueryClient, { betweenMs = 500, restMs = 600 }: Pace) {
  const waiting = new Map<string, Query>()
  const busy = new Set<string>()
  const restsUntil = new Map<string, number>()
  let nextAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const ask = async (query: Query) => {
    const { queryHash: hash, queryKey } = query
    const now = Date.now()
    waiting.delete(hash)
    busy.add(hash)
    nextAt = now + betweenMs
    restsUntil.set(hash, now + Math.max(restMs, (query.meta?.apartMs ?? 0) * pagesOf(query)))
    await queries.invalidateQueries({ queryKey, exact: true })
    busy.delete(hash)
    goOn()
  }
  const goOn = () => {
    clearTimeout(timer)
    const ready = [...waiting].filter(([hash]) => !busy.has(hash))
    const times = ready.map(([hash]) => Math.max(nextAt, restsUntil.get(hash) ?? 0))
    const first = times.indexOf(Math.min(...times))
    const query = ready[first]?.[1]
    const wait = (times[first] ?? 0) - Date.now()
    if (!query) return
    if (wait > 0) timer = setTimeout(goOn, wait)
    else void ask(query).then(goOn)
  }
  return {
    refresh: (query: Query) => {
      // Nobody looks at it: it is asked for when somebody does.
      if (!query.isActive()) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
      else waiting.set(query.queryHash, query)
      goOn()
    },
    stop: () => {
      clearTimeout(timer)
      waiting.clear()
    },
  }
}

/** Shows what a message carries. @returns whether that answers the query */
function patched(queries: QueryClient, { meta, queryKey, state: { data } }: Query, message: LiveMessage): boolean {
  if (!meta?.patch || data === undefined) return false
  const next = meta.patch(data as never, message)
  if (next === undefined) return false
  queries.setQueryData(queryKey, next)
  return true
}

/**
 * Makes stale what the gateway says has changed, while the page is seen: hidden pages ask for nothing, and a browser
 * opens only few connections. What a message carries is shown without a question. The usual intervals go on, so that a stream that is cut costs seconds and nothing else.
 * @returns a function that stops it
 */
export function refreshLive(queries: QueryClient, pace: Pace = {}): () => void {
  const refresher = createRefresher(queries, pace)
  const refreshWhere = (wanted: (query: Query) => boolean) => {
    for (const query of queries.getQueryCache().findAll({ predicate: wanted })) refresher.refresh(query)
  }
  let reading: AbortController | undefined
  let openedBefore = false
  const onOpen = () => {
    // What happened while nobody listened was not reported.
    if (openedBefore) refreshWhere(({ meta }) => meta?.live !== undefined)
    openedBefore = true
  }
  const follow = () => {
    const wanted = document.visibilityState === 'visible'
    if (wanted === (reading !== undefined)) return
    reading?.abort()
    reading = wanted ? new AbortController() : undefined
    const onMessage = (message: LiveMessage) =>
      refreshWhere((query) => !patched(queries, query, message) && concerns(query, message))
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
