import type { InfiniteData } from '@tanstack/react-query'
import type { JobSummary } from '@faxdeck/contract'

export interface JobPage {
  jobs: JobSummary[]
  total: number
  total_is_minimum: boolean
  next_cursor: string | null
}
/** The pages read so far, newest jobs first; each page's parameter is the cursor it was read with, '' for the first. */
export type JobPages = InfiniteData<JobPage, string>

/** All rows in order. A row met in two pages, because newer ones pushed it down, counts once. */
export function rowsOf(pages: JobPages): JobSummary[] {
  const seen = new Map<string, JobSummary>()
  for (const page of pages.pages) for (const job of page.jobs) if (!seen.has(job.id)) seen.set(job.id, job)
  return [...seen.values()]
}

const isNews = (known: JobSummary | undefined, fresh: JobSummary) =>
  known !== undefined &&
  fresh.updated_at >= known.updated_at &&
  (known.updated_at !== fresh.updated_at ||
    known.status !== fresh.status ||
    known.attempt_count !== fresh.attempt_count)

/** The same rows in the same places, with newer facts. Nothing moves, appears or goes. */
export function withRows(pages: JobPages, fresh: readonly JobSummary[]): JobPages {
  const known = new Map(rowsOf(pages).map((job) => [job.id, job]))
  const news = new Map(fresh.filter((job) => isNews(known.get(job.id), job)).map((job) => [job.id, job]))
  if (news.size === 0) return pages
  const update = (job: JobSummary) => news.get(job.id) ?? job
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, jobs: page.jobs.map(update) })) }
}

/** The same page with newer facts. */
export const withPage = (page: JobPage, fresh: readonly JobSummary[]): JobPage => {
  const [only] = withRows({ pages: [page], pageParams: [''] }, fresh).pages
  return only ?? page
}

/** A list that is not newest first: its only page is replaced, several get newer facts in their places. */
export function withFirst(pages: JobPages, first: JobPage): JobPages {
  return pages.pages.length === 1 ? { pages: [first], pageParams: [''] } : withRows(pages, first.jobs)
}

/** How many jobs of the newest page are not in the list yet. */
export function countArrivals(pages: JobPages, newest: JobPage): number {
  const known = new Set(rowsOf(pages).map((job) => job.id))
  const top = pages.pages[0]?.jobs[0]
  return newest.jobs.filter((job) => !known.has(job.id) && (!top || job.created_at >= top.created_at)).length
}

/**
 * The list brought up to date from its top: what `newest` covers is replaced by it, older rows stay. When so many
 * jobs arrived that it no longer meets the rows already read, the list starts anew from it.
 */
export function withNewest(pages: JobPages, newest: JobPage): JobPages {
  const anew = { pages: [newest], pageParams: [''] }
  const last = newest.jobs.at(-1)
  const first = pages.pages[0]
  if (!last || !first || newest.next_cursor === null) return anew
  const covered = new Set(newest.jobs.map((job) => job.id))
  if (!pages.pages.some((page) => page.jobs.some((job) => covered.has(job.id)))) return anew
  const older = (page: JobPage) => ({
    ...page,
    jobs: page.jobs.filter((job) => !covered.has(job.id) && job.created_at <= last.created_at),
  })
  const [head, ...rest] = pages.pages.map(older)
  const top = { ...newest, jobs: [...newest.jobs, ...(head?.jobs ?? [])], next_cursor: first.next_cursor }
  return { ...pages, pages: [top, ...rest] }
}

/** The index of the page that holds a row, counted from the first row of the list. */
export function pageAt({ pages }: JobPages, row: number): number {
  let end = 0
  const index = pages.findIndex((page) => {
    end += page.jobs.length
    return row < end
  })
  return index < 0 ? pages.length - 1 : index
}
