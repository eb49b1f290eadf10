import type { CallReport } from '@faxdeck/contract'
import { MaskedNumber } from '../../ui/fax/masked-number.tsx'
import { ShowAll } from '../../ui/layout/show-all.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { Time } from '../../ui/time.tsx'
import { grouped } from '../../ui/words/figures.ts'
import styles from './lines.module.css'

type Row = CallReport['numbers'][number]

const columns: readonly Column<Row>[] = [
  {
    key: 'number',
    label: 'Number',
    card: 'title',
    width: '9rem',
    cell: ({ number, direction }) => (
      <>
        {direction === 'sent' ? 'To ' : 'From '}
        <MaskedNumber number={number} />
      </>
    ),
  },
  {
    key: 'trouble',
    label: 'Problem',
    cell: ({ trouble }) =>
      trouble === null ? <span className="muted">None</span> : <span className={styles.trouble}>{trouble}</span>,
  },
  { key: 'calls', label: 'Calls', align: 'end', width: '4rem', cell: ({ calls }) => grouped(calls) },
  { key: 'complete', label: 'Complete', align: 'end', width: '5.5rem', cell: ({ complete }) => grouped(complete) },
  { key: 'broke', label: 'Cut off', align: 'end', width: '5.5rem', cell: ({ broke_off: broke }) => grouped(broke) },
  {
    key: 'missed',
    label: 'Not reached',
    align: 'end',
    width: '6.5rem',
    cell: ({ not_reached: missed }) => grouped(missed),
  },
  {
    key: 'slowest',
    label: 'Lowest speed',
    align: 'end',
    width: '8rem',
    cell: ({ slowest }) => (slowest === null ? '—' : `${grouped(slowest)} bit/s`),
  },
  { key: 'last', label: 'Last call', align: 'end', width: '9rem', cell: ({ last_at: last }) => <Time at={last} /> },
]

function problemSentence(numbers: number): string {
  if (numbers === 0) return 'No numbers have problems.'
  return numbers === 1 ? '1 number has problems.' : `${grouped(numbers)} numbers have problems.`
}

/** How the last calls went, by number, those with trouble first. */
export function CallReportTable({ report }: { report: CallReport }) {
  if (report.calls === 0) return <p className="muted">No calls have ended yet.</p>
  const { calls, complete, broke_off: broke, not_reached: missed, over_t38: t38, over_audio: audio, since } = report
  const badly = report.numbers.filter(({ trouble }) => trouble !== null).length
  return (
    <>
      <p className={styles.summary}>
        {problemSentence(badly)}{' '}
        <span className="muted">
          {grouped(calls)} {calls === 1 ? 'call' : 'calls'} since <Time at={since} />: {grouped(complete)} complete,{' '}
          {grouped(broke)} cut off, {grouped(missed)} not reached; {grouped(t38)} over T.38, {grouped(audio)} as audio.
        </span>
      </p>
      <ShowAll items={report.numbers} first={10} what="numbers">
        {(numbers) => (
          <DataTable
            label="Calls by number"
            rows={numbers}
            idOf={({ number, direction, last_at: last }) => `${direction} ${number} ${last}`}
            nameOf={({ number }) => `number ending in ${number.slice(-4)}`}
            columns={columns}
          />
        )}
      </ShowAll>
    </>
  )
}
