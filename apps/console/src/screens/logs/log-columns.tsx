import { MaskedNumber, ShortId } from '../../ui/fax/masked-number.tsx'
import { StatusChip } from '../../ui/fax/status-chip.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { Time } from '../../ui/time.tsx'
import { textOf } from './log-filter.ts'
import styles from './logs.module.css'
import type { LogRow } from './queries.ts'

function plain(name: string, label: string, width?: string): Column<LogRow> {
  const cell = ({ entry }: LogRow) => {
    const value = entry[name]
    return value === undefined ? '' : textOf(value)
  }
  return { key: name, label, cell, ...(width ? { width } : {}) }
}

function number(name: 'to' | 'from', label: string): Column<LogRow> {
  return {
    key: name,
    label,
    width: '5rem',
    cell: ({ entry }) => entry[name] && <MaskedNumber number={entry[name]} />,
  }
}

/** What a row reports its entry; the dialog tells the rest. */
export const logColumns: Column<LogRow>[] = [
  { key: 'ts', label: 'Time', width: '8.25rem', cell: ({ entry }) => <Time at={entry.ts} seconds /> },
  {
    key: 'event',
    label: 'Event',
    width: '12.5rem',
    card: 'title',
    cell: ({ entry }) => <code className={styles.event}>{entry.event}</code>,
  },
  {
    key: 'job_id',
    label: 'Job',
    width: '6rem',
    cell: ({ entry }) => entry.job_id && <ShortId id={entry.job_id} />,
  },
  plain('backend', 'Provider', '6rem'),
  {
    key: 'status',
    label: 'Status',
    width: '7.75rem',
    cell: ({ entry }) => entry.status && <StatusChip status={entry.status} />,
  },
  plain('error', 'Error'),
  number('to', 'To'),
  number('from', 'From'),
  plain('key_id', 'Key', '8.5rem'),
  plain('path', 'Path', '7.5rem'),
]
