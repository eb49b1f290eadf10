import type { JobSummary } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { providerName, providersQuery } from '../../../api/overview.ts'
import { Button } from '../../../ui/control/button.tsx'
import { IconColumns, IconJobs, IconSearch } from '../../../ui/control/icons.ts'
import { EmptyState } from '../../../ui/layout/states.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { LoadMore } from '../../../ui/table/load-more.tsx'
import type { Selection, TableOrder } from '../../../ui/table/table-columns.ts'
import styles from '../jobs.module.css'
import type { useJobList } from '../queries.ts'
import { alwaysShown, jobColumns } from './job-columns.tsx'

interface Props {
  jobs: readonly JobSummary[]
  /** Keys of columns that are not shown. */
  hidden: readonly string[]
  /** Details stand beside the list. */
  beside: boolean
  current: string | undefined
  selection: Selection
  order: TableOrder
  onSort: (order: TableOrder) => void
  onOpen: (job: JobSummary) => void
}

/** Beside the details there is no room for all, and the cause must not be cut: these are said there. */
const saidBeside: ReadonlySet<string> = new Set(['backend', 'sender', 'created', 'updated'])

/** The jobs: rows where there is room, cards where there is not. */
export function JobTable({ jobs, hidden, beside, ...rest }: Props) {
  const { data: providers } = useQuery(providersQuery)
  const columns = useMemo(() => {
    const isShown = (key: string) => !hidden.includes(key) && !(beside && saidBeside.has(key))
    return jobColumns((id) => providerName(id, providers)).filter(({ key }) => isShown(key))
  }, [hidden, beside, providers])
  return (
    <DataTable
      label="Fax jobs"
      rows={jobs}
      idOf={idOf}
      nameOf={(job) => `fax ${job.id.slice(0, 8)}`}
      columns={columns}
      stickyHead={!beside}
      {...rest}
    />
  )
}

const idOf = (job: JobSummary) => job.id

/** The end of the list: reads on before a person gets there, and says how much is shown. */
export function ListEnd({ shown, list }: { shown: number; list: ReturnType<typeof useJobList> }) {
  const end = useRef<HTMLDivElement>(null)
  const { counted, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const readsOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError

  useEffect(() => {
    if (!end.current || !readsOn) return
    const watcher = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && void fetchNextPage(),
      { rootMargin: '1200px' },
    )
    watcher.observe(end.current)
    return () => watcher.disconnect()
    // `shown` grows with each page read: the end may then still be in view.
  }, [readsOn, fetchNextPage, shown])

  return (
    <div ref={end}>
      <LoadMore
        shown={shown}
        total={counted?.total}
        totalIsMinimum={counted?.total_is_minimum}
        more={hasNextPage}
        busy={isFetchingNextPage}
        onMore={() => void fetchNextPage()}
      />
      <p className={styles.masked}>Phone numbers are masked</p>
    </div>
  )
}

/** No job to show: because nothing was sent yet, or nothing fits the filters. */
export function NoJobs({ filtered, onClear, onSend }: { filtered: boolean; onClear: () => void; onSend: () => void }) {
  if (filtered) {
    return (
      <EmptyState
        icon={IconSearch}
        title="No faxes match"
        why="Clear the filters to see all faxes."
        next={<Button onClick={onClear}>Clear filters</Button>}
      />
    )
  }
  return (
    <EmptyState
      icon={IconJobs}
      title="No faxes yet"
      why="Every fax you send appears here, with its pages and outcome."
      next={
        <Button tone="primary" onClick={onSend}>
          Send a fax
        </Button>
      }
    />
  )
}

interface ColumnChooserProps {
  hidden: readonly string[]
  onChange: (hidden: readonly string[]) => void
}

/** Which columns the list has. */
export function ColumnChooser({ hidden, onChange }: ColumnChooserProps) {
  const items = jobColumns((id) => id)
    .filter(({ key }) => !alwaysShown.has(key))
    .map(({ key, label }) => {
      const isHidden = hidden.includes(key)
      const others = hidden.filter((each) => each !== key)
      return { key, label, checked: !isHidden, onChoose: () => onChange(isHidden ? others : [...others, key]) }
    })
  return <Menu icon={IconColumns} label="Columns" items={items} several />
}
