import type { Report, ReportFigures, ReportSection } from '@faxdeck/contract'
import { providerName, type Providers } from '../../api/providers.ts'
import { MaskedNumber } from '../../ui/fax/masked-number.tsx'
import { ShowAll } from '../../ui/layout/show-all.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { wordsFor } from '../../ui/words/check-words.ts'
import { grouped } from '../../ui/words/grouped.ts'
import { costInWords, dayInWords, durationInWords, successRate } from './figure-words.ts'
import styles from './reports.module.css'

/** The tables of a report, in the order of their tabs. */
const sections: readonly { key: ReportSection; label: string }[] = [
  { key: 'steps', label: 'Over time' },
  { key: 'destinations', label: 'Destinations' },
  { key: 'numbers', label: 'Numbers' },
  { key: 'causes', label: 'Causes of failure' },
  { key: 'senders', label: 'Senders' },
  { key: 'groups', label: 'Groups' },
  { key: 'providers', label: 'Providers' },
]

/** The tables that say something: one by group only where faxes belong to groups. */
export const sectionsOf = ({ groups }: Report) =>
  groups.some(({ group_id: id }) => id !== null) ? sections : sections.filter(({ key }) => key !== 'groups')

type Received = Pick<Report['totals'], 'received' | 'received_pages'>
type Counted = Pick<ReportFigures, 'sent' | 'delivered' | 'failed'>

const countColumns: readonly Column<Counted>[] = [
  { key: 'sent', label: 'Sent', align: 'end', width: '5rem', cell: ({ sent }) => grouped(sent) },
  { key: 'delivered', label: 'Delivered', align: 'end', width: '6rem', cell: ({ delivered }) => grouped(delivered) },
  { key: 'failed', label: 'Failed', align: 'end', width: '5rem', cell: ({ failed }) => grouped(failed) },
  { key: 'rate', label: 'Success', align: 'end', width: '5.5rem', cell: successRate },
]

const figureColumns: readonly Column<ReportFigures>[] = [
  ...countColumns,
  { key: 'pages', label: 'Pages', align: 'end', width: '5rem', cell: ({ pages }) => grouped(pages) },
  {
    key: 'median',
    label: 'Median time',
    align: 'end',
    width: '7.5rem',
    cell: ({ median_seconds: seconds }) => durationInWords(seconds),
  },
  {
    key: 'p95',
    card: 'hidden',
    label: '95% within',
    align: 'end',
    width: '7.5rem',
    cell: ({ p95_seconds: seconds }) => durationInWords(seconds),
  },
  { key: 'cost', label: 'Cost', align: 'end', width: '8rem', cell: ({ costs }) => costInWords(costs) },
]

const receivedColumn: Column<Received> = {
  key: 'received',
  label: 'Received',
  align: 'end',
  width: '6rem',
  cell: ({ received }) => grouped(received),
}

interface ListProps<Row> {
  label: string
  rows: readonly Row[]
  /** What it is about, as its heading and as words. */
  title: Omit<Column<Row>, 'key' | 'card'>
  nameOf: (row: Row) => string
  columns: readonly Column<Row>[]
}

function List<Row>({ label, rows, title, nameOf, columns }: ListProps<Row>) {
  if (rows.length === 0) return <p className="quiet">Nothing in this period.</p>
  const named = rows.map((row, at) => ({ id: `${at}`, row }))
  const all: readonly Column<(typeof named)[number]>[] = [
    { key: 'title', card: 'title', ...title, cell: ({ row }) => title.cell(row) },
    ...columns.map((column) => ({ ...column, cell: ({ row }: (typeof named)[number]) => column.cell(row) })),
  ]
  return (
    <ShowAll items={named} first={31} what="rows">
      {(shown) => (
        <DataTable
          label={label}
          rows={shown}
          idOf={({ id }) => id}
          nameOf={({ row }) => nameOf(row)}
          columns={all}
          frame={{ maxHeight: 'none', minWidth: '46rem' }}
        />
      )}
    </ShowAll>
  )
}

const others = 'All others'

/** Senders that are neither a person nor a key of the list. */
const unnamedSenders: Readonly<Record<string, string>> = { bootstrap: 'Bootstrap key', anonymous: 'No key' }

interface TableProps {
  report: Report
  section: ReportSection
  providers: Providers | undefined
}

/** One table of a report. */
export function ReportTable({ report, section, providers }: TableProps) {
  const both = [...figureColumns, receivedColumn]
  const label = sections.find(({ key }) => key === section)?.label ?? ''
  switch (section) {
    case 'steps': {
      const nameOf = ({ begins }: Report['steps'][number]) => dayInWords(begins, true)
      const heading = { day: 'Day', week: 'Week starting', month: 'Month starting' }[report.step]
      const rows = report.steps.filter(({ sent, received }) => sent + received > 0)
      const left = report.steps.length - rows.length
      return (
        <>
          <List label={label} rows={rows} title={{ label: heading, cell: nameOf }} nameOf={nameOf} columns={both} />
          {left > 0 && (
            <p className={styles.left}>
              {grouped(left)} {left === 1 ? `${report.step} has` : `${report.step}s have`} no faxes and{' '}
              {left === 1 ? 'isn’t' : 'aren’t'} listed. The CSV lists every {report.step}.
            </p>
          )}
        </>
      )
    }
    case 'destinations': {
      const nameOf = ({ prefix }: Report['destinations'][number]) => prefix ?? others
      const title = { label: 'Prefix', cell: nameOf }
      return <List label={label} rows={report.destinations} title={title} nameOf={nameOf} columns={figureColumns} />
    }
    case 'numbers': {
      const nameOf = ({ number }: Report['numbers'][number]) =>
        number ? `number ending in ${number.slice(-4)}` : others
      const cell = ({ number }: Report['numbers'][number]) => (number ? <MaskedNumber number={number} /> : others)
      return (
        <List
          label={label}
          rows={report.numbers}
          title={{ label: 'Number', cell }}
          nameOf={nameOf}
          columns={countColumns}
        />
      )
    }
    case 'causes': {
      const nameOf = ({ kind }: Report['causes'][number]) => (kind === null ? 'No reason given' : wordsFor(kind))
      const columns = [countColumns[2]]
        .filter((column) => column !== undefined)
        .map((column) => ({
          ...column,
          cell: ({ failed }: Report['causes'][number]) => grouped(failed),
        }))
      return (
        <List
          label={label}
          rows={report.causes}
          title={{ label: 'Cause', cell: nameOf }}
          nameOf={nameOf}
          columns={columns}
        />
      )
    }
    case 'senders': {
      const nameOf = ({ name, key_id: id }: Report['senders'][number]) => name ?? unnamedSenders[id] ?? id
      const title = { label: 'Person or key', cell: nameOf }
      return <List label={label} rows={report.senders} title={title} nameOf={nameOf} columns={figureColumns} />
    }
    case 'groups': {
      const nameOf = ({ name, group_id: id }: Report['groups'][number]) =>
        name ?? (id === null ? 'No group' : `Deleted group ${id}`)
      return (
        <List
          label={label}
          rows={report.groups}
          title={{ label: 'Group', cell: nameOf }}
          nameOf={nameOf}
          columns={both}
        />
      )
    }
    case 'providers': {
      const nameOf = ({ backend }: Report['providers'][number]) => providerName(backend, providers)
      const title = { label: 'Provider', cell: nameOf }
      return <List label={label} rows={report.providers} title={title} nameOf={nameOf} columns={both} />
    }
  }
}
