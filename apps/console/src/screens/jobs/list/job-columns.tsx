import type { JobSummary } from '@faxdeck/contract'
import { FaxNumber } from '../../../session/fax-number.tsx'
import { ShortId } from '../../../ui/fax/masked-number.tsx'
import { Chip, FaxStatusChip } from '../../../ui/control/status-chip.tsx'
import type { Column } from '../../../ui/table/table-columns.ts'
import { Ago, shortTime } from '../../../ui/time.tsx'
import { shortCause } from '../../../ui/words/fax-words.ts'
import { heldWords } from '../job/held-words.ts'
import { resentWords } from '../job/resent-words.ts'
import { withHour } from '../job/timeline-words.ts'
import styles from '../jobs.module.css'

/** The whole sentence for what the column says in two words; '' where that is all. */
function sentenceOf({ held, error, next_try_at: next }: JobSummary): string {
  if (held) return heldWords(held)
  return next ? withHour(error ?? 'Retrying.', shortTime(next)) : (error ?? '')
}

const senders: Readonly<Record<string, string>> = { bootstrap: 'Bootstrap', anonymous: 'No key' }
const senderOf = ({ key_id: id, key_name: name }: JobSummary) => name ?? senders[id] ?? id

/** Every column there is, in their order. @param nameOf what people call a provider */
export const jobColumns = (nameOf: (backend: string) => string): readonly Column<JobSummary>[] => [
  { key: 'id', label: 'Job ID', width: '5.75rem', fits: true, card: 'title', cell: (job) => <ShortId id={job.id} /> },
  {
    key: 'to',
    label: 'To Number',
    width: 'minmax(8.75rem, 1fr)',
    card: 'lead',
    cell: (job) => (
      <span className={styles.recipient}>
        {job.recipient && <span>{job.recipient}</span>}
        <FaxNumber id={job.id} side="sent" number={job.to_number} look="list" />
      </span>
    ),
  },
  {
    key: 'document',
    label: 'Document',
    width: 'minmax(7.5rem, 0.8fr)',
    card: 'lead',
    cell: (job) => job.file_name ?? '—',
  },
  {
    key: 'status',
    label: 'Status',
    width: '9.875rem',
    fits: true,
    card: 'side',
    cell: (job) => (
      <span className={styles.states}>
        <FaxStatusChip fax={job} />
        {job.resent_as && (
          <Chip tone="plain" title={resentWords(job.resent_as)}>
            Resent
          </Chip>
        )}
      </span>
    ),
  },
  {
    key: 'backend',
    label: 'Backend',
    width: 'minmax(6.25rem, 0.5fr)',
    card: 'hidden',
    cell: (job) => nameOf(job.backend),
  },
  {
    key: 'pages',
    label: 'Pages',
    width: '4.25rem',
    fits: true,
    align: 'end',
    sort: 'pages',
    cell: (job) => job.pages ?? '—',
  },
  {
    key: 'error',
    label: 'Error',
    width: 'minmax(10.25rem, 0.2fr)',
    cell: (job) => (shortCause(job) ? <span title={sentenceOf(job) || undefined}>{shortCause(job)}</span> : '—'),
  },
  { key: 'sender', label: 'Sent by', width: '6.75rem', card: 'hidden', cell: senderOf },
  {
    key: 'created',
    label: 'Created',
    width: '6.75rem',
    sort: 'created',
    cell: (job) => <Ago at={job.created_at} brief />,
  },
  {
    key: 'updated',
    label: 'Updated',
    width: '6.75rem',
    sort: 'updated',
    card: 'hidden',
    cell: (job) => <Ago at={job.updated_at} brief />,
  },
]

/** Columns without which faxes look alike cannot be hidden. */
export const alwaysShown: ReadonlySet<string> = new Set(['id', 'status'])
