import type { JobSummary } from '@faxdeck/contract'
import { DataTable } from '../../ui/table/data-table.tsx'
import { MaskedNumber, ShortId } from '../../ui/fax/masked-number.tsx'
import { FaxStatusChip } from '../../ui/fax/status-chip.tsx'
import type { Column, Selection } from '../../ui/table/table-columns.ts'
import { shortTime, Time } from '../../ui/time.tsx'
import { heldWords } from './held-words.ts'
import { withHour } from './timeline-words.ts'

interface Props {
  jobs: readonly JobSummary[]
  /** Leaves out what the details beside the list say anyway. */
  narrow: boolean
  current: string | undefined
  selection: Selection
  onOpen: (job: JobSummary) => void
}

/** What went wrong, or when it is tried again. */
function trouble({ status, test, held, error, next_try_at: next, needs_attention: uncertain }: JobSummary): string {
  if (held) return heldWords(held)
  if (test && status === 'SUCCESS') return 'Test only: not sent.'
  if (uncertain) return error ?? 'It’s unknown whether it arrived. You decide.'
  if (next) return withHour(error ?? 'Retrying.', shortTime(next))
  return error ?? ''
}

const columns: Column<JobSummary>[] = [
  { key: 'id', label: 'Job ID', width: '5.75rem', fits: true, card: 'title', cell: (job) => <ShortId id={job.id} /> },
  {
    key: 'to',
    label: 'To Number',
    width: '5.75rem',
    fits: true,
    cell: (job) => <MaskedNumber number={job.to_number} />,
  },
  {
    key: 'status',
    label: 'Status',
    width: '11rem',
    fits: true,
    card: 'side',
    cell: (job) => <FaxStatusChip fax={job} />,
  },
  {
    key: 'backend',
    label: 'Backend',
    width: '6.5rem',
    card: 'hidden',
    cell: (job) => job.backend,
  },
  { key: 'pages', label: 'Pages', width: '4.25rem', fits: true, align: 'end', cell: (job) => job.pages ?? '—' },
  {
    key: 'error',
    label: 'Error',
    cell: (job) => trouble(job) || '—',
  },
  { key: 'created', label: 'Created', width: '10rem', cell: (job) => <Time at={job.created_at} /> },
  { key: 'updated', label: 'Updated', width: '10rem', card: 'hidden', cell: (job) => <Time at={job.updated_at} /> },
]

/** Beside open details there is room for what tells one fax from another, and why it failed. */
const narrowColumns = columns
  .filter(({ key }) => key !== 'updated' && key !== 'backend')
  .map((column) => (column.key === 'created' ? { ...column, width: '7rem' } : column))

/** The jobs: rows where there is room, cards where there is not. */
export function JobTable({ jobs, narrow, current, selection, onOpen }: Props) {
  return (
    <DataTable
      label="Fax jobs"
      rows={jobs}
      idOf={(job) => job.id}
      nameOf={(job) => `fax ${job.id.slice(0, 8)}`}
      columns={narrow ? narrowColumns : columns}
      current={current}
      selection={selection}
      onOpen={onOpen}
    />
  )
}
