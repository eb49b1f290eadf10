import { FaxStatusChip } from '../../../ui/control/status-chip.tsx'
import { MaskedNumber } from '../../../ui/fax/masked-number.tsx'
import { PrintedTable, type Sheet } from '../../../ui/print/printed-table.tsx'
import { shortCause } from '../../../ui/words/fax-words.ts'
import { grouped } from '../../../ui/words/figures.ts'
import { type JobsToPrint, type JobView, readJobsToPrint } from '../queries.ts'

function caption({ jobs, total, total_is_minimum: isMinimum }: JobsToPrint): string {
  const all = `${isMinimum ? 'more than ' : ''}${grouped(total)}`
  const which = jobs.length < total ? `the first ${grouped(jobs.length)} of ${all} faxes` : `${all} faxes`
  return `Jobs: ${which}, printed ${new Date().toLocaleString()}`
}

async function sheetOf(view: JobView): Promise<Sheet> {
  const printed = await readJobsToPrint(view)
  return {
    caption: caption(printed),
    heads: ['Job ID', 'To', 'Document', 'Status', 'Pages', 'Error', 'Created'],
    rows: printed.jobs.map((job) => ({
      id: job.id,
      cells: [
        job.id.slice(0, 8),
        <span key="to">
          {job.recipient && `${job.recipient} `}
          <MaskedNumber number={job.to_number} />
        </span>,
        job.file_name ?? '—',
        <FaxStatusChip key="status" fax={job} />,
        job.pages ?? '—',
        job.error ?? shortCause(job),
        new Date(job.created_at).toLocaleString(),
      ],
    })),
  }
}

/** The list of jobs on paper, as long as no fax is open: every row that matches the filter. */
export const PrintedJobs = ({ view, isListShown }: { view: JobView; isListShown: boolean }) => (
  <PrintedTable makeSheet={async () => (isListShown ? sheetOf(view) : undefined)} />
)
