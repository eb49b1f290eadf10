import type { Report, ReportFigures, ReportSection } from '@faxdeck/contract'
import type { ReactNode } from 'react'
import { providerName, type Providers } from '../../api/overview.ts'
import { MaskedNumber } from '../../ui/fax/masked-number.tsx'
import { ShowAll } from '../../ui/layout/show-all.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { wordsFor } from '../../ui/words/check-words.ts'
import { durationInWords, grouped, successRate } from '../../ui/words/figures.ts'
import { costInWords, dayInWords } from './figure-words.ts'
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

const causeColumn: Column<Report['causes'][number]> = {
  key: 'failed',
  label: 'Failed',
  align: 'end',
  width: '5rem',
  cell: ({ failed }) => grouped(failed),
}

/** One table of a report. */
export function ReportTable({ report, section, providers }: TableProps) {
  const both = [...figureColumns, receivedColumn]
  const label = sections.find(({ key }) => key === section)?.label ?? ''
  const list = <Row,>(
    heading: string,
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    nameOf: (row: Row) => string,
    cell: (row: Row) => ReactNode = nameOf,
  ) => <List label={label} rows={rows} title={{ label: heading, cell }} nameOf={nameOf} columns={columns} />
  switch (section) {
    case 'steps':
      return <Steps report={report}>{(rows, heading) => list(heading, rows, both, nameOfStep)}</Steps>
    case 'destinations':
      return list('Prefix', report.destinations, figureColumns, ({ prefix }) => prefix ?? others)
    case 'numbers':
      return list(
        'Number',
        report.numbers,
        countColumns,
        ({ number }) => (number ? `number ending in ${number.slice(-4)}` : others),
        ({ number }) => (number ? <MaskedNumber number={number} /> : others),
      )
    case 'causes':
      return list('Cause', report.causes, [causeColumn], ({ kind }) =>
        kind === null ? 'No reason given' : wordsFor(kind),
      )
    case 'senders':
      return list('Person or key', report.senders, figureColumns, ({ name, key_id: id }) => {
        return name ?? unnamedSenders[id] ?? id
      })
    case 'groups':
      return list('Group', report.groups, both, ({ name, group_id: id }) => {
        return name ?? (id === null ? 'No group' : `Deleted group ${id}`)
      })
    case 'providers':
      return list('Provider', report.providers, both, ({ backend }) => providerName(backend, providers))
  }
}

type Step = Report['steps'][number]
const nameOfStep = ({ begins }: Step) => dayInWords(begins, true)
const stepHeadings = { day: 'Day', week: 'Week starting', month: 'Month starting' } as const

interface StepsProps {
  report: Report
  children: (rows: readonly Step[], heading: string) => ReactNode
}

/** The steps in which something was faxed, and how many are left out. */
function Steps({ report: { steps, step }, children }: StepsProps) {
  const rows = steps.filter(({ sent, received }) => sent + received > 0)
  const left = steps.length - rows.length
  return (
    <>
      {children(rows, stepHeadings[step])}
      {left > 0 && (
        <p className={styles.left}>
          {grouped(left)} {left === 1 ? `${step} has` : `${step}s have`} no faxes and {left === 1 ? 'isn’t' : 'aren’t'}{' '}
          listed. The CSV lists every {step}.
        </p>
      )}
    </>
  )
}
