import type { Job } from '@faxdeck/contract'
import { useMemo } from 'react'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Attempts } from './attempts.tsx'
import styles from './job-body.module.css'
import { JobFacts } from './job-facts.tsx'
import { PageStrip } from '../../ui/page-strip.tsx'
import { loadJobPage, type useJobActions } from './queries.ts'
import { Timeline } from './timeline.tsx'
import { UncertainChoices } from './uncertain-choices.tsx'

interface Props {
  job: Job
  actions: ReturnType<typeof useJobActions>
  onOpen: (id: string) => void
}

function headline({ file_name: name, pages, cover }: Job): string {
  const count = pages === null ? 'pages not counted yet' : pages === 1 ? '1 page' : `${pages} pages`
  return [name, count, cover && 'page 1 is the cover page'].filter(Boolean).join(' · ')
}

/** The details of a job: what needs a person, its pages, its story, its facts. */
export function JobBody({ job, actions, onOpen }: Props) {
  const load = useMemo(() => loadJobPage(job.id), [job.id])
  const { refresh, cancel, resend, resolve, download, receipt } = actions
  const failed = [refresh, cancel, resend, download, receipt].filter(({ error }) => error)
  return (
    <div className={styles.body}>
      {failed.map(({ error }) => error && <ErrorNotice key={error.message + error.failure} error={error} />)}
      {job.actions.includes('resolve') && (
        <UncertainChoices busy={resolve.busy} error={resolve.error} onChoose={resolve.run} onDismiss={resolve.reset} />
      )}
      <p className={styles.quiet}>{headline(job)}</p>
      {!job.document_kept && <p className={styles.quiet}>The document is no longer kept. Its details remain.</p>}
      {job.document_kept && job.pages !== null && <PageStrip pages={job.pages} load={load} />}
      <section aria-label="What happened">
        <h3>What happened</h3>
        <Timeline entries={job.timeline} />
      </section>
      {job.attempts.length > 0 && (
        <section aria-label="Attempts">
          <h3>{job.max_attempts ? `Attempts, at most ${job.max_attempts}` : 'Attempts'}</h3>
          <Attempts attempts={job.attempts} />
        </section>
      )}
      <section aria-label="Details">
        <h3>Details</h3>
        <JobFacts job={job} onOpen={onOpen} />
      </section>
    </div>
  )
}
