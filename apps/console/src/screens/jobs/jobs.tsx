import { useMemo, useRef, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { FindToOpen } from '../../session/fax-access/find-to-open.tsx'
import { finding, mayBreakGlass } from '../../session/fax-access/open-fax.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconDots, IconDownload, IconJobs, IconRefresh, IconSearch } from '../../ui/control/icons.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { useRoomBeside, useWide } from '../../ui/layout/use-media.ts'
import { Menu } from '../../ui/overlay/menu.tsx'
import { choose } from '../../ui/table/choose.ts'
import { NewRowsPill } from '../../ui/table/held-rows.tsx'
import type { TableOrder } from '../../ui/table/table-columns.ts'
import { useRowKeys } from '../../ui/table/use-row-keys.ts'
import { usePreference } from '../../ui/use-preference.ts'
import { HeldNote } from './job/held-notice.tsx'
import { JobDetails } from './job/job-details.tsx'
import { pageAt, rowsOf } from './job/job-pages.ts'
import styles from './jobs.module.css'
import { FilterBar } from './list/filter-bar.tsx'
import { blankFilter, type FilterFields, isBlank, type JobOrder, namedList, usualOrder } from './list/job-filter.ts'
import { ColumnChooser, JobTable, ListEnd, NoJobs } from './list/job-table.tsx'
import { ListSummary } from './list/list-summary.tsx'
import { PrintedJobs } from './list/printed-jobs.tsx'
import { SavedViews } from './list/saved-views.tsx'
import { useJobFilter } from './list/use-job-filter.ts'
import { useReading } from './list/use-reading.ts'
import { exportJobs, type JobView, useJobList } from './queries.ts'

const nothing: ReadonlySet<string> = new Set()
const noneHidden: readonly string[] = []

/** The view, the same object while nothing of it changes. A filter of its own time is sorted by that time. */
function useView() {
  const [filter, keepFilter] = useJobFilter()
  const [chosen, setOrder] = useState<JobOrder>()
  const view = useMemo<JobView>(() => ({ filter, order: chosen ?? usualOrder(filter) }), [filter, chosen])
  const sort = (order: TableOrder) => setOrder(order as JobOrder)
  const change = (next: FilterFields) => {
    if (next.time !== filter.time) setOrder(undefined)
    keepFilter(next)
  }
  return { view, sort, change }
}

/** The Jobs screen: every fax sent or attempted, and one of them in detail. */
export function JobsScreen() {
  const session = useSession()
  const { visit, go } = session
  const { view, sort, change: changeView } = useView()
  const { filter, order } = view
  const [hidden, hide] = usePreference('jobs.hidden-columns', noneHidden)
  const [chosen, setChosen] = useState(nothing)
  const listRef = useRef<HTMLDivElement>(null)
  const { scrolled, depth } = useReading(listRef)
  const [lookingAt, setLookingAt] = useState(0)
  const list = useJobList(view, scrolled || chosen.size > 0, lookingAt)
  const jobs = useMemo(() => (list.data ? rowsOf(list.data) : []), [list.data])
  const page = list.data ? pageAt(list.data, depth * jobs.length) : 0
  if (page !== lookingAt) setLookingAt(page)

  const beside = useRoomBeside()
  const wide = useWide()
  const isFinding = visit.open === finding && mayBreakGlass(session)
  const open = namedList(visit.open) || visit.open === finding ? undefined : visit.open
  const show = (id: string) => go('jobs', { open: id, replace: open !== undefined })
  const step = (by: 1 | -1) => {
    const at = jobs.findIndex(({ id }) => id === open)
    const next = at < 0 ? undefined : jobs[at + by]
    if (next) show(next.id)
    if (by === 1 && at >= jobs.length - 2 && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  }
  useRowKeys({ open, onStep: step, onSelect: (id) => setChosen(choose(chosen, [id])) })
  const refresh = useAction(list.refresh)
  const save = useAction(() => exportJobs(filter))
  const change = (next: FilterFields) => {
    changeView(next)
    setChosen(nothing)
  }
  const showArrivals = () => {
    list.showArrivals()
    scrollTo(0, 0)
  }
  return (
    <>
      <PageHead
        title="Jobs"
        purpose="Every fax sent or attempted. Phone numbers are masked."
        actions={
          <>
            <ListActions refresh={refresh} save={save} />
            <SavedViews filter={filter} onChoose={change} />
            {wide && <ColumnChooser hidden={hidden} onChange={hide} />}
          </>
        }
      />
      <FilterBar filter={filter} onChange={change} />
      {isFinding && <FindToOpen onClose={() => go('jobs', { replace: true })} />}
      {save.error && <ErrorNotice error={save.error} onRetry={() => save.run(undefined)} busy={save.busy} />}
      {list.trouble && <ErrorNotice error={list.trouble} onRetry={() => refresh.run(undefined)} busy={refresh.busy} />}
      {filter.status === 'held' && <HeldNote />}
      <PrintedJobs view={view} isListShown={open === undefined} />
      <div className={styles.columns} data-split={(beside && open !== undefined) || undefined}>
        <div ref={listRef} className={styles.list}>
          <ListSummary
            jobs={jobs}
            filter={filter}
            chosen={chosen}
            counted={list.counted}
            isSettled={list.isSuccess && !list.isPlaceholderData}
            onClear={() => setChosen(nothing)}
          />
          <NewRowsPill count={list.arrivals} onShow={showArrivals} />
          {list.isPending && <Skeleton lines={10} height={2.5} />}
          {jobs.length > 0 && (
            <JobTable
              jobs={jobs}
              hidden={wide ? hidden : noneHidden}
              beside={beside && open !== undefined}
              current={open}
              selection={{ chosen, onChange: setChosen }}
              order={order}
              onSort={sort}
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
            find={visit.find ?? filter.q.trim()}
            onOpen={show}
            onClose={() => go('jobs', { replace: true })}
          />
        )}
      </div>
    </>
  )
}

interface Act {
  busy: boolean
  run: (input: undefined) => void
}

/** What can be done with the list as a whole: buttons, or one menu on a small screen. */
function ListActions({ refresh, save }: { refresh: Act; save: Act }) {
  const session = useSession()
  const { go } = session
  const wide = useWide()
  const toBroadcasts = () => go('broadcasts')
  const toEmergency = mayBreakGlass(session) ? () => go('jobs', { open: finding }) : undefined
  if (!wide) {
    const items = [
      { key: 'refresh', label: 'Refresh', icon: IconRefresh, onChoose: () => refresh.run(undefined) },
      { key: 'export', label: 'Export CSV', icon: IconDownload, onChoose: () => save.run(undefined) },
      { key: 'broadcasts', label: 'Broadcasts', icon: IconJobs, onChoose: toBroadcasts },
      ...(toEmergency
        ? [{ key: 'emergency', label: 'Emergency access', icon: IconSearch, onChoose: toEmergency }]
        : []),
    ]
    return <Menu icon={IconDots} label="More actions" items={items} />
  }
  return (
    <>
      <Button onClick={toBroadcasts}>Broadcasts</Button>
      {toEmergency && <Button onClick={toEmergency}>Emergency access</Button>}
      <Button action={refresh}>Refresh</Button>
      <Button icon={IconDownload} action={save}>
        Export CSV
      </Button>
    </>
  )
}
