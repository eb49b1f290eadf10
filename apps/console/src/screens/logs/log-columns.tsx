import { eventWords } from '@faxdeck/contract/event-words'
import { useQuery } from '@tanstack/react-query'
import { providerName, providersQuery } from '../../api/overview.ts'
import { StatusChip } from '../../ui/control/status-chip.tsx'
import { ShortId } from '../../ui/fax/masked-number.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { Time } from '../../ui/time.tsx'
import { sentenceOf, whoOf } from './entry-words.ts'
import { textOf } from './log-filter.ts'
import styles from './logs.module.css'
import type { LogRow } from './queries.ts'

function plain(name: string, label: string): Column<LogRow> {
  const cell = ({ entry }: LogRow) => {
    const value = entry[name]
    return value === undefined ? '' : textOf(value)
  }
  return { key: name, label, cell }
}

/** An event in words; searches and filters take its name, which stands in the tooltip. */
export function EventName({ entry }: { entry: LogRow['entry'] }) {
  const { event } = entry
  return (
    <span className={styles.event} title={event}>
      {eventWords(entry)}
    </span>
  )
}

function Provider({ id }: { id: string }) {
  const { data } = useQuery(providersQuery)
  return <span title={id}>{providerName(id, data)}</span>
}

const ending = (number: unknown) => (typeof number === 'string' ? `…${number.slice(-4)}` : undefined)

/** Whom and what it is about, as far as it says: few entries have more than one of these. */
function aboutOf(entry: LogRow['entry']): string {
  const sentence = sentenceOf(entry)
  if (sentence !== undefined) return sentence
  const { to, from, path, person_name: person } = entry
  const facts = { by: whoOf(entry), about: person, to: ending(to), from: ending(from), path }
  return Object.entries(facts)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${textOf(value)}`]))
    .join(' · ')
}

/** What a row shows of its entry; the dialog shows the rest. */
export const logColumns: Column<LogRow>[] = [
  { key: 'ts', label: 'Time', width: '8.25rem', cell: ({ entry }) => <Time at={entry.ts} seconds /> },
  {
    key: 'event',
    label: 'Event',
    width: '12.5rem',
    card: 'title',
    cell: ({ entry }) => <EventName entry={entry} />,
  },
  {
    key: 'job_id',
    label: 'Job',
    width: '6rem',
    cell: ({ entry }) => entry.job_id && <ShortId id={entry.job_id} />,
  },
  {
    key: 'backend',
    label: 'Provider',
    width: '7rem',
    cell: ({ entry }) => entry.backend !== undefined && <Provider id={textOf(entry.backend)} />,
  },
  {
    key: 'status',
    label: 'Status',
    width: '7.75rem',
    cell: ({ entry }) => entry.status && <StatusChip status={entry.status} />,
  },
  plain('error', 'Error'),
  { key: 'about', label: 'About', width: '17rem', cell: ({ entry }) => aboutOf(entry) },
]
