import type { Job, JobSummary, ReplyOf, ResendChoice, Routes } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { client } from '../../api/client.ts'
import { saveFile } from '../../api/download.ts'
import { gatewayNow } from '../../api/live/gateway-clock.ts'
import { pause } from '../../api/live/pause.ts'
import { watch } from '../../api/live/watch.ts'
import { withKeptKey } from '../../api/random-key.ts'
import { useAction } from '../../api/use-action.ts'
import {
  countArrivals,
  type JobPage,
  type JobPages,
  withFirst,
  withNewest,
  withPage,
  withRows,
} from './job/job-pages.ts'
import { asQuery, type FilterFields, type JobOrder } from './list/job-filter.ts'

const pageSize = 100
/** A search begins when the typing pauses. */
const typingPause = 250

/** @param cursor '' for the newest jobs */
const readPage = ({ filter, order }: JobView, cursor: string, signal: AbortSignal) => {
  // A relative time is counted anew at each reading: the list of "the last hour" moves on with the clock.
  const query = { ...asQuery(filter, gatewayNow()), ...order, limit: pageSize, ...(cursor && { cursor }) }
  return client.listJobs({ query }, { signal })
}

/** Which jobs are listed, and in which order. */
export interface JobView {
  filter: FilterFields
  order: JobOrder
}

const listQuery = (view: JobView) =>
  infiniteQueryOptions<JobPage, CallProblem, JobPages, QueryKey, string>({
    queryKey: ['jobs', 'list', view],
    queryFn: async ({ pageParam, signal }) => {
      if (view.filter.q && !pageParam) await pause(typingPause, signal)
      return readPage(view, pageParam, signal)
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // Brought up to date row by row from the newest page and the one being looked at, never read again as a whole.
    staleTime: Infinity,
    meta: { patch: (pages: never, { jobs }) => jobs && withRows(pages, jobs) },
  })

const pageQuery = (name: 'newest' | 'near', view: JobView, cursor = '') =>
  queryOptions({
    queryKey: ['jobs', name, view, cursor],
    queryFn: ({ signal }) => readPage(view, cursor, signal),
    // The rows of the page that is looked at come with the message, unless there are too many of them.
    meta: {
      live: ['jobs'],
      ...(name === 'near' && { patch: (page: never, { jobs }) => jobs && withPage(page, jobs) }),
    },
    staleTime: watch.jobs,
    refetchInterval: watch.jobs,
  })

/**
 * The list of jobs, up to date every 10 s. While it is `held` (a person reads or selects further down) rows change in
 * place and new ones wait, counted in `arrivals`, until `showArrivals`.
 * @param lookingAt the index of the page a person looks at
 */
export function useJobList(view: JobView, held: boolean, lookingAt: number) {
  const queries = useQueryClient()
  const list = useInfiniteQuery({ ...listQuery(view), placeholderData: keepPreviousData })
  const { data, dataUpdatedAt, isPlaceholderData } = list
  const ready = data !== undefined && !isPlaceholderData
  const newest = useQuery({
    ...pageQuery('newest', view),
    enabled: ready,
    initialData: ready ? data.pages[0] : undefined,
    initialDataUpdatedAt: dataUpdatedAt,
  })
  const cursor = data?.pageParams[lookingAt]
  const near = useQuery({ ...pageQuery('near', view, cursor), enabled: ready && Boolean(cursor) })

  const change = useCallback(
    (next: (pages: JobPages) => JobPages) =>
      queries.setQueryData<JobPages>(listQuery(view).queryKey, (pages) => pages && next(pages)),
    [queries, view],
  )
  const { data: top } = newest
  const { data: rows } = near
  const { order } = view
  // Only what is newest first takes new rows in at its top; in another order they have their place somewhere.
  const isNewestFirst = order.sort === 'created' && order.direction === 'desc'
  useEffect(() => {
    if (!top) return
    const next = isNewestFirst ? withNewest : withFirst
    change((pages) => (held ? withRows(pages, top.jobs) : next(pages, top)))
  }, [top, held, isNewestFirst, change])
  useEffect(() => {
    if (rows) change((pages) => withRows(pages, rows.jobs))
  }, [rows, change])

  return {
    ...list,
    counted: newest.data ?? data?.pages[0],
    trouble: list.error ?? newest.error,
    arrivals: held && ready && top && isNewestFirst ? countArrivals(data, top) : 0,
    showArrivals: () => top && change((pages) => withNewest(pages, top)),
    refresh: async () => {
      if (!data) await list.refetch()
      else if (list.isFetchNextPageError) await list.fetchNextPage()
      else await newest.refetch()
    },
  }
}

export type JobDetail = ReplyOf<Routes['getJob']>

const jobKey = (id: string) => ['jobs', 'one', id]

/** One job; while it is under way it is asked for every 2 s. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: jobKey(id),
    queryFn: ({ signal }) => client.getJob({ params: { id } }, { signal }),
    meta: { live: ['jobs'], job: id },
    refetchInterval: ({ state: { data } }) => {
      // A fax that was sent again shows how the new one stands.
      if (data?.resent_as && !['SUCCESS', 'FAILED'].includes(data.resent_as.status)) return watch.jobs
      if (!data || data.status === 'SUCCESS' || data.status === 'FAILED') return false
      return data.needs_attention || data.next_try_at ? watch.jobs : watch.job
    },
  })

/** Where the words of a search stand on the pages of a job. */
export const marksQuery = (id: string, q: string) =>
  queryOptions({
    queryKey: ['jobs', 'marks', id, q],
    queryFn: async ({ signal }) => {
      await pause(typingPause, signal)
      const { pages } = await client.getJobMarks({ params: { id }, query: { q } }, { signal })
      return new Map(pages.map(({ page, places }) => [page, places]))
    },
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })

/** One page of a job as it is faxed, `width` pixels wide. */
export const loadJobPage = (id: string) => (page: number, width: number, signal: AbortSignal) =>
  client.getJobPage({ params: { id, page }, query: { width } }, { signal })

/** What an action answered is shown at once, in the details and in every list. */
function showJob(queries: QueryClient, job: Job): void {
  queries.setQueryData<JobDetail>(jobKey(job.id), (before) => before && { ...before, ...job })
  queries.setQueriesData<JobPages>({ queryKey: ['jobs', 'list'] }, (pages) => pages && withRows(pages, [job]))
}

export const refreshes = [['jobs', 'newest'], ['health-status'], ['activity']]

export type Outcome = 'delivered' | 'failed' | 'send_again'

/** What a person can do with one job. `onResent` hears of the new fax. */
export function useJobActions(id: string, onResent: (job: Job) => void) {
  const queries = useQueryClient()
  const shown = { onDone: (job: Job) => showJob(queries, job), refreshes }
  const params = { id }
  return {
    refresh: useAction(
      (asksProvider: boolean) => (asksProvider ? client.refreshJob({ params }) : client.getJob({ params })),
      shown,
    ),
    cancel: useAction(() => client.cancelJob({ params }), shown),
    release: useAction(() => client.releaseJob({ params }), shown),
    resolve: useAction((body: { outcome: Outcome; attempt?: number }) => client.resolveJob({ params, body }), shown),
    resend: useAction((choice: ResendChoice) => resendFax(id, choice), { onDone: onResent, refreshes }),
    download: useAction(() => client.getJobPdf({ params }), { onDone: (pdf) => saveFile(pdf, `fax_${id}.pdf`) }),
    receipt: useAction(() => client.getJobReceipt({ params }), { onDone: (pdf) => saveFile(pdf, `receipt_${id}.pdf`) }),
  }
}

/** Sends a fax again; `unreadable` distinguishes one wish from another. */
export const resendFax = (id: string, body: ResendChoice = {}): Promise<Job> =>
  withKeptKey(`fax ${id} ${body.unreadable ?? ''}`, (options) => client.resendJob({ params: { id }, body }, options))

/** So many ids fit into one address. */
const idsPerExport = 300

/** CSV of the filtered jobs, or of those chosen. */
export async function exportJobs(filter: FilterFields, ids: readonly string[] = []): Promise<void> {
  const parts: string[] = []
  for (let from = 0; from === 0 || from < ids.length; from += idsPerExport) {
    const chosen = ids.slice(from, from + idsPerExport).join(',')
    const part = await client.exportJobs({ query: chosen ? { ids: chosen } : asQuery(filter, gatewayNow()) })
    const csv = await part.text()
    parts.push(from === 0 ? csv : csv.slice(csv.indexOf('\n') + 1))
  }
  const today = new Date().toLocaleDateString('sv')
  saveFile(new Blob(parts, { type: 'text/csv' }), `fax_jobs_${today}.csv`)
}

/** Some forty sheets: who needs more takes the CSV, which has all. */
const maxPrinted = 2000
const printedAtOnce = 200

export type JobsToPrint = Pick<JobPage, 'jobs' | 'total' | 'total_is_minimum'>

/** Every job that matches, in the order of the list, up to 2,000. */
export async function readJobsToPrint({ filter, order }: JobView): Promise<JobsToPrint> {
  const jobs: JobSummary[] = []
  const matching = { ...asQuery(filter, gatewayNow()), ...order }
  for (let cursor = ''; ;) {
    const page = await client.listJobs({ query: { ...matching, limit: printedAtOnce, ...(cursor && { cursor }) } })
    jobs.push(...page.jobs)
    if (page.next_cursor === null || jobs.length >= maxPrinted) return { ...page, jobs }
    cursor = page.next_cursor
  }
}
