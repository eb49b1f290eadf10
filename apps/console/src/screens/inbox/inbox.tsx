import type { CallProblem } from '@faxdeck/contract/client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { useRoomBeside } from '../../ui/layout/use-media.ts'
import { choose } from '../../ui/table/choose.ts'
import { NewRowsPill, useHeldRows, useScrolled } from '../../ui/table/held-rows.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { useRowKeys } from '../../ui/table/use-row-keys.ts'
import { useKept } from '../../ui/use-kept.ts'
import { Callbacks } from './callbacks.tsx'
import { InboxTable } from './inbox-table.tsx'
import { InboxActions, InboxFilterBar } from './inbox-tools.tsx'
import styles from './inbox.module.css'
import { NewFax } from './new-fax.tsx'
import { NoFaxes, NothingFound, ReceivingOff } from './no-faxes.tsx'
import { countQuery, type InboxFilter, listQuery } from './queries.ts'
import { Reader } from './reader.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { SimulateDialog } from './simulate-dialog.tsx'
import { Troubleshooting } from './troubleshooting.tsx'

const place = 'inbound'
/** What is open while a test fax is made. */
const testFax = 'test-fax'
const nothing: ReadonlySet<string> = new Set()

function useList(filter: InboxFilter, isReading: boolean) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(listQuery(filter))
  const received = useMemo(() => data?.pages.flat() ?? [], [data])
  // A fax that is read leaves the unread ones, but not under the reader's eyes.
  const scrolled = useScrolled()
  const held = useHeldRows(received, scrolled || isReading)
  const counted = useQuery(countQuery(filter, hasNextPage))
  const more = { more: hasNextPage, busy: isFetchingNextPage, onMore: () => void fetchNextPage() }
  return {
    ...held,
    isHere: data !== undefined,
    fresh: data && received,
    error,
    refetch,
    more,
    counted: hasNextPage ? counted.data : undefined,
    uncounted: counted.error,
  }
}

/** The faxes before and after the one that is open. More are fetched before the list comes to its end. */
function useSteps({ open, ids, more: { more, busy, onMore } }: StepsProps) {
  const { go } = useSession()
  const at = open === undefined ? -1 : ids.indexOf(open)
  const neighbor = (step: 1 | -1) => (at < 0 ? undefined : ids[at + step])
  const step = (by: 1 | -1) => {
    const next = neighbor(by)
    if (next !== undefined) go(place, { open: next, replace: true })
    if (by === 1 && at >= ids.length - 2 && more && !busy) onMore()
  }
  return { neighbor, step }
}

interface StepsProps {
  open: string | undefined
  ids: readonly string[]
  more: ReturnType<typeof useList>['more']
}

function showFromTop(show: () => void) {
  show()
  scrollTo(0, 0)
}

interface NoticesProps {
  error: CallProblem | null
  others: readonly (Error | null | undefined)[]
  busy: boolean
  onRetry: () => void
}

/** Why the list is not here, and what else failed. */
function Notices({ error, others, busy, onRetry }: NoticesProps) {
  return (
    <div className={styles.notices}>
      {error && <ErrorNotice error={error} onRetry={onRetry} busy={busy} />}
      {others.map((each) => each && <ErrorNotice key={each.message} error={each} />)}
    </div>
  )
}

/** The Inbox screen: what was received, to read, keep and look after. */
export function InboxScreen() {
  const { visit, go, may } = useSession()
  const handlesAll = may('handle_faxes')
  const [view, keepView] = useKept<InboxFilter['view']>('inbox.view', 'all')
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(nothing)
  const open = visit.open === testFax ? undefined : visit.open
  const [group, setGroup] = useState('')
  const filter = { view, q: typed.trim(), group }
  const list = useList(filter, open !== undefined || chosen.size > 0)
  const { rows, error } = list
  const refresh = useAction(() => list.refetch())
  const [failure, setFailure] = useState<Error>()
  const beside = useRoomBeside()
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const { neighbor, step } = useSteps({ open, ids, more: list.more })
  useRowKeys({ open, onStep: step, onSelect: (id) => setChosen(choose(chosen, [id])) })
  const change = (next: Partial<InboxFilter>) => {
    if (next.view) keepView(next.view)
    if (next.q !== undefined) setTyped(next.q)
    if (next.group !== undefined) setGroup(next.group)
    setChosen(nothing)
  }
  const close = () => go(place, { replace: true })
  const simulate = () => go(place, { open: testFax })
  const purpose = 'Faxes received. Numbers are masked to the last 4 characters.'

  if (error?.answer?.code === 'inbound_disabled') {
    return (
      <>
        <PageHead title="Inbox" purpose={purpose} />
        <ReceivingOff />
      </>
    )
  }
  const buttons = <InboxActions refresh={refresh} onSimulate={simulate} />
  const isSplit = beside && open !== undefined
  return (
    <>
      <PageHead title="Inbox" purpose={purpose} actions={buttons} />
      <Notices
        error={error}
        others={[failure, error ? undefined : list.uncounted]}
        busy={refresh.busy}
        onRetry={() => refresh.run(undefined)}
      />
      <InboxFilterBar filter={{ view, q: typed, group }} onChange={change} />
      <NewFax faxes={list.fresh} list={JSON.stringify(filter)} />
      {filter.q === '' && !isSplit && handlesAll && <Troubleshooting faxes={rows} />}
      <div className={styles.columns} data-split={isSplit || undefined}>
        <div className={styles.list}>
          {chosen.size > 0 && (
            <SelectionBar faxes={rows.filter(({ id }) => chosen.has(id))} onClear={() => setChosen(nothing)} />
          )}
          <NewRowsPill count={list.arrivals} onShow={() => showFromTop(list.showArrivals)} />
          {!list.isHere && !error && <Skeleton lines={8} height={2.5} />}
          {(list.isHere || error) && rows.length === 0 && (
            <Nothing filter={filter} error={error} onSimulate={simulate} onClear={change} />
          )}
          {rows.length > 0 && (
            <>
              <InboxTable
                faxes={rows}
                narrow={isSplit}
                selection={{ chosen, onChange: setChosen }}
                current={open}
                onFailure={setFailure}
                onOpen={(fax) => go(place, { open: fax.id, replace: open !== undefined })}
              />
              <LoadMore
                shown={rows.length}
                {...(list.counted && { total: list.counted.total, totalIsMinimum: list.counted.total_is_minimum })}
                {...list.more}
              />
            </>
          )}
        </div>
        {open !== undefined && (
          <Reader
            id={open}
            beside={beside}
            find={visit.find ?? filter.q}
            previous={neighbor(-1)}
            next={neighbor(1)}
            onStep={step}
            onClose={close}
          />
        )}
      </div>
      {handlesAll && (list.isHere || error) && <Callbacks />}
      {visit.open === testFax && handlesAll && <SimulateDialog onClose={close} />}
    </>
  )
}

interface NothingProps {
  filter: InboxFilter
  error: CallProblem | null
  onSimulate: () => void
  onClear: (filter: InboxFilter) => void
}

/** Why there is no row. */
function Nothing({ filter, error, onSimulate, onClear }: NothingProps) {
  if (error || (filter.q === '' && filter.view === 'all' && filter.group === ''))
    return <NoFaxes error={error} onSimulate={onSimulate} />
  return <NothingFound filter={filter} onClear={() => onClear({ view: 'all', q: '', group: '' })} />
}
