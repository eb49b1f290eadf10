import type { Deletion, OwnGroup } from '@faxdeck/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useOwnGroups } from '../../api/groups.ts'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconDownload, IconFileOff, IconPrinter } from '../../ui/control/icons.ts'
import { ShortId } from '../../ui/fax/masked-number.tsx'
import { TimeRangeField } from '../../ui/form/time-range-field.tsx'
import { EmptyState, ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { printPage } from '../../ui/print/print-page.ts'
import { PrintedTable, type Sheet } from '../../ui/print/printed-table.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { anyTime, rangeWords, type TimeRange } from '../../ui/time-range.ts'
import { Time } from '../../ui/time.tsx'
import { useKept } from '../../ui/use-kept.ts'
import { grouped } from '../../ui/words/figures.ts'
import { deletionsQuery, readDeletionsToPrint, saveDeletions } from './queries.ts'
import { whyDeleted } from './retention-words.ts'
import styles from './retention.module.css'

const ranges: readonly TimeRange['range'][] = ['24h', '7d', '30d', '', 'custom']

const directionWords = { sent: 'Sent', received: 'Received' } as const

/** "Cardiology, Nurse Kim". */
const whoseWords = ({ group_name: group, sent_by: by }: Deletion) =>
  [group, by].filter((name) => name !== null).join(', ') || '—'

const columnsFor = (groups: readonly OwnGroup[]): Column<Deletion>[] => [
  { key: 'at', label: 'Deleted', width: '11.5rem', card: 'side', cell: ({ at }) => <Time at={at} dated /> },
  { key: 'fax', label: 'Fax', width: '6.5rem', card: 'title', cell: ({ fax_id: id }) => <ShortId id={id} /> },
  {
    key: 'direction',
    label: 'Direction',
    width: '6.5rem',
    cell: ({ direction }) => directionWords[direction],
  },
  {
    key: 'number',
    label: 'Number',
    width: '7rem',
    cell: ({ number }) => (number === null ? '—' : `…${number.slice(-4)}`),
  },
  { key: 'whose', label: 'Group, sender', width: 'minmax(0, 1fr)', cell: whoseWords },
  { key: 'pages', label: 'Pages', width: '4.5rem', align: 'end', cell: ({ pages }) => pages ?? '—' },
  { key: 'why', label: 'Reason', cell: (deletion) => whyDeleted(deletion, groups) },
  { key: 'seq', label: 'Entry', width: '5.5rem', align: 'end', cell: ({ seq }) => seq },
  { key: 'sha', label: 'SHA-256', cell: ({ sha256 }) => (sha256 === null ? '—' : <code>{sha256}</code>) },
]

/** "Last 30 days"; the dates of a stretch of one's own. */
const inWords = ({ range, from, to }: TimeRange) =>
  range === 'custom'
    ? `${from.replace('T', ' ') || 'The beginning'} to ${to.replace('T', ' ') || 'now'}`
    : rangeWords[range]

/** With the time zone: paper goes to people elsewhere. */
const dated = (at: Date) => at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })

/** Every line on paper, with the whole id of its fax. */
async function sheetOf(range: TimeRange, groups: readonly OwnGroup[], head: string): Promise<Sheet> {
  const { deletions, isAll } = await readDeletionsToPrint(range)
  const count = `${isAll ? '' : 'the newest '}${grouped(deletions.length)}`
  return {
    caption: `${head}Deleted documents, ${inWords(range)}: ${count}. Printed ${dated(new Date())}`,
    heads: ['Entry', 'Deleted', 'Fax', 'Direction', 'Number', 'Group, sender', 'Pages', 'Reason', 'SHA-256'],
    rows: deletions.map((deletion) => ({
      id: String(deletion.seq),
      cells: [
        deletion.seq,
        dated(new Date(deletion.at)),
        deletion.fax_id,
        directionWords[deletion.direction],
        deletion.number ?? '—',
        whoseWords(deletion),
        deletion.pages ?? '—',
        whyDeleted(deletion, groups),
        deletion.sha256 ?? '—',
      ],
    })),
  }
}

/** Documents that were deleted: when, of which fax, and by which rule. */
export function Deletions() {
  const [range, setRange] = useKept<TimeRange>('retention.range', { ...anyTime, range: '30d' })
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    deletionsQuery(range),
  )
  const groups = useOwnGroups()
  const { config, person } = useSession()
  const save = useAction(() => saveDeletions(range))
  const head = [config.organization, person && `printed by ${person.name}`].filter(Boolean).join(', ')
  const rows = error ? undefined : data?.pages.flatMap(({ deletions }) => deletions)
  return (
    <>
      <div role="search" className={styles.filter} aria-label="Choose the period">
        <TimeRangeField label="Deleted" ranges={ranges} value={range} onChange={setRange} />
        <div className={styles.buttons}>
          <Button icon={IconPrinter} disabled={!rows?.length} onClick={() => void printPage()}>
            Print
          </Button>
          <Button icon={IconDownload} busy={save.busy} disabled={!rows} onClick={() => save.run(undefined)}>
            Download CSV
          </Button>
        </div>
      </div>
      <PrintedTable makeSheet={() => sheetOf(range, groups, head && `${head}. `)} />
      {save.error && <ErrorNotice error={save.error} />}
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} height={2.5} />}
      {rows?.length === 0 && (
        <EmptyState
          icon={IconFileOff}
          title="Nothing was deleted in this period"
          why="Documents are listed here after a retention rule deletes them. The details of their faxes are kept."
        />
      )}
      {rows && rows.length > 0 && (
        <div aria-busy={isFetching || undefined}>
          <DataTable
            label="Deleted documents"
            rows={rows}
            idOf={({ seq }) => String(seq)}
            nameOf={({ fax_id: id }) => `fax ${id.slice(0, 8)}`}
            columns={columnsFor(groups)}
          />
          <LoadMore
            shown={rows.length}
            more={hasNextPage}
            busy={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
          <p className="quiet">
            Each row is an entry in the audit trail, which you can verify under Logs. It doesn’t include the document’s
            content.
          </p>
        </div>
      )}
    </>
  )
}
