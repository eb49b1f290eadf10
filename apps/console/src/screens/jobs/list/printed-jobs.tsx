import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { beforePrinting } from '../../../ui/print/print-page.ts'
import { MaskedNumber } from '../../../ui/fax/masked-number.tsx'
import { FaxStatusChip } from '../../../ui/fax/status-chip.tsx'
import { grouped } from '../../../ui/words/grouped.ts'
import styles from './printed-jobs.module.css'
import { readJobsToPrint, type JobsToPrint, type JobView } from '../queries.ts'

type Printed = JobsToPrint & { at: Date }

function caption({ jobs, total, total_is_minimum: isMinimum, at }: Printed): string {
  const all = `${isMinimum ? 'more than ' : ''}${grouped(total)}`
  const which = jobs.length < total ? `the first ${grouped(jobs.length)} of ${all} faxes` : `${all} faxes`
  return `Jobs: ${which}, printed ${at.toLocaleString()}`
}

/**
 * The list of jobs on paper: every row that matches the filter, not only those drawn on the screen. Fetched when the
 * page is about to be printed and no fax is open, and seen on paper alone.
 */
export function PrintedJobs({ view, isListShown }: { view: JobView; isListShown: boolean }) {
  const [printed, setPrinted] = useState<Printed>()
  const prepare = useEffectEvent(async () => {
    if (isListShown) setPrinted({ ...(await readJobsToPrint(view)), at: new Date() })
  })
  useEffect(() => {
    const stop = beforePrinting(() => prepare())
    const clear = () => setPrinted(undefined)
    addEventListener('afterprint', clear)
    return () => {
      stop()
      removeEventListener('afterprint', clear)
    }
  }, [])
  if (!printed) return null
  return createPortal(
    <table data-printed-list className={styles.table}>
      <caption>{caption(printed)}</caption>
      <thead>
        <tr>
          {['Job ID', 'To', 'Document', 'Status', 'Pages', 'Error', 'Created'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {printed.jobs.map((job) => (
          <tr key={job.id}>
            <td>{job.id.slice(0, 8)}</td>
            <td>
              {job.recipient && `${job.recipient} `}
              <MaskedNumber number={job.to_number} />
            </td>
            <td>{job.file_name ?? '—'}</td>
            <td>
              <FaxStatusChip fax={job} />
            </td>
            <td>{job.pages ?? '—'}</td>
            <td>{job.error ?? ''}</td>
            <td>{new Date(job.created_at).toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </table>,
    document.body,
  )
}
