import { useEffect, useMemo, useRef, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../shell/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { IconDownload } from '../../ui/control/icons.ts'
import { NewRowsPill } from '../../ui/table/new-rows-pill.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { useKept } from '../../ui/use-kept.ts'
import { FilterBar } from './filter-bar.tsx'
import { HeldNote } from './held-notice.tsx'
import { JobDetails } from './job-details.tsx'
import { asQuery, blankFilter, isBlank, namedList, type FilterFields } from './job-filter.ts'
import { pageAt, rowsOf } from './job-pages.ts'
import { JobTable } from './job-table.tsx'
import styles from './jobs.module.css'
import { ListEnd } from './list-end.tsx'
import { NoJobs } from './no-jobs.tsx'
import { PrintedJobs } from './printed-jobs.tsx'
import { exportJobs, useJobList } from './queries.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useReading } from './use-reading.ts'
import { useRoomBeside } from '../../ui/layout/use-room-beside.ts'
import { grouped } from '../../ui/words/grouped.ts'

const nothing: ReadonlySet<string> = new Set()
/** The Jobs screen: every fax sent or attempted, and one of them in detail. */
export function JobsScreen() {
  const { visit, go } = useSession()
  const [filter, keepFilter] = useKept('jobs.filter', blankFilter)
  const query = useMemo(() => asQuery(filter), [filter])
  const [chosen, setChosen] = useState(nothing)
  const listRef = useRef<HTMLDivElement>(null)
  const { scrolled, depth } = useReading(listRef)
  const [lookingAt, setLookingAt] = useState(0)
  const list = useJobList(query, scrolled || chosen.size > 0, lookingAt)
  const jobs = useMemo(() => (list.data ? rowsOf(list.data) : []), [list.data])
  const page = list.data ? pageAt(list.data, depth * jobs.length) : 0
  if (page !== lookingAt) setLookingAt(page)

  const refresh = useAction(list.refresh)
  const save = useAction(() => exportJobs(query))
  const beside = useRoomBeside()
  const asked = namedList(visit.open)
  const open = asked === undefined ? visit.open : undefined
  useEffect(() => {
    if (asked === undefined) return
    keepFilter({ ...blankFilter, status: asked, q: visit.find ?? '' })
    go('jobs', { replace: true })
  })
  const show = (id: string) => go('jobs', { open: id, replace: open !== undefined })
  const change = (next: FilterFields) => {
    keepFilter(next)
    setChosen(nothing)
  }
  const showArrivals = () => {
    list.showArrivals()
    scrollTo(0, 0)
  }
  const picked = jobs.filter((job) => chosen.has(job.id))
  const { counted } = list
  const actions = (
    <>
      <Button busy={refresh.busy} onClick={() => refresh.run(undefined)}>
        Refresh
      </Button>
      <Button busy={save.busy} onClick={() => save.run(undefined)}>
        <IconDownload size="1rem" aria-hidden="true" />
        Export CSV
      </Button>
    </>
  )
  return (
    <>
      <PageHead title="Jobs" purpose="Every fax sent or attempted. Phone numbers are masked." actions={actions} />
      <FilterBar filter={filter} onChange={change} />
      {save.error && <ErrorNotice error={save.error} onRetry={() => save.run(undefined)} busy={save.busy} />}
      {list.trouble && <ErrorNotice error={list.trouble} onRetry={() => refresh.run(undefined)} busy={refresh.busy} />}
      {filter.status === 'held' && <HeldNote />}
      <PrintedJobs filter={query} isListShown={open === undefined} />
      <div className={styles.columns} data-split={(beside && open !== undefined) || undefined}>
        <div ref={listRef} className={styles.list}>
          <div className={styles.summary}>
            {chosen.size > 0 ? (
              <SelectionBar jobs={picked} onClear={() => setChosen(nothing)} />
            ) : (
              counted && (
                <p role="status" className={styles.total}>
                  {counted.total_is_minimum && 'More than '}
                  {grouped(counted.total)} {counted.total === 1 ? 'fax' : 'faxes'}
                </p>
              )
            )}
          </div>
          <NewRowsPill count={list.arrivals} onShow={showArrivals} />
          {list.isPending && <Skeleton lines={10} height={2.5} />}
          {jobs.length > 0 && (
            <JobTable
              jobs={jobs}
              narrow={beside && open !== undefined}
              current={open}
              selection={{ chosen, onChange: setChosen }}
              onOpen={(job) => show(job.id)}
            />
          )}
          {list.isSuccess && jobs.length === 0 && (
            <NoJobs filtered={!isBlank(filter)} onClear={() => change(blankFilter)} onSend={() => go('send')} />
          )}
          {jobs.length > 0 && <ListEnd shown={jobs.length} list={list} />}
        </div>
        {open !== undefined && (
          <JobDetails
            key={open}
            id={open}
            beside={beside}
            find={visit.find ?? query.q ?? ''}
            onOpen={show}
            onClose={() => go('jobs', { replace: true })}
          />
        )}
      </div>
    </>
  )
}
