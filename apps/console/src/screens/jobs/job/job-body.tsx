import type { Job } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { OpenedNote, useOwnOpening } from '../../../session/fax-access/opened-note.tsx'
import { FaxText } from '../../../session/fax-text.tsx'
import { FaxViews } from '../../../session/fax-views.tsx'
import { FaxHolds } from '../../../session/fax-holds.tsx'
import { useSession } from '../../../session/session.ts'
import { FoundOn } from '../../../ui/fax/found-on.tsx'
import { Openings } from '../../../ui/fax/openings.tsx'
import { PageStrip } from '../../../ui/fax/page-strip.tsx'
import { doubtsIn } from '../../../ui/fax/unlikely-question.tsx'
import { ErrorNotice, Note } from '../../../ui/layout/states.tsx'
import { whyNoDocument } from '../../../ui/words/document-words.ts'
import { countPages } from '../../../ui/words/figures.ts'
import { type Outcome as Decision, type JobDetail, loadJobPage, marksQuery, type useJobActions } from '../queries.ts'
import { Attempts, Timeline } from './attempts.tsx'
import { SeenNotice, UncertainChoices } from './decisions.tsx'
import { HeldNotice } from './held-notice.tsx'
import styles from './job-body.module.css'
import { JobFacts } from './job-facts.tsx'
import { FurtherChoices, Outcome } from './outcome.tsx'
import { refusalIn } from './resent-words.ts'

interface Props {
  job: JobDetail
  actions: ReturnType<typeof useJobActions>
  /** Words to point out on its pages; '' for none. */
  find: string
  onOpen: (id: string) => void
  /** The time is over for which somebody opened it with a reason. */
  onOver: () => void
}

function headline({ file_name: name, pages, cover }: Job): string {
  const count = pages === null ? 'pages not counted yet' : countPages(pages)
  return [name, count, cover && 'page 1 is the cover page'].filter(Boolean).join(' · ')
}

const hasEnded = ({ status }: Job) => status === 'SUCCESS' || status === 'FAILED'

/** The details of a job: what needs a person, its pages, its story, its facts. */
export function JobBody({ job, actions, find, onOpen, onOver }: Props) {
  const openUntil = useOwnOpening(job.openings)
  const load = useMemo(() => loadJobPage(job.id), [job.id])
  const { data: marks, error: unmarked } = useQuery(marksQuery(job.id, openUntil === undefined ? find : ''))
  const { refresh, cancel, resend, resolve, download, receipt } = actions
  const { may } = useSession()
  // Sending again is meant for the attempt on screen, never for one that another person has started since.
  const decide = (outcome: Decision) =>
    resolve.run(outcome === 'send_again' ? { outcome, attempt: job.attempt_count } : { outcome })
  const waitsForOthers = job.actions.includes('resolve') && !may('handle_faxes')
  const failed = [refresh, cancel, resend, download, receipt].filter(
    ({ error }) => error && !refusalIn(error) && doubtsIn(error).length === 0,
  )
  return (
    <div data-reader className={styles.body}>
      {openUntil !== undefined && <OpenedNote until={openUntil} onOver={onOver} />}
      <Outcome
        job={job}
        actions={actions}
        onOpen={onOpen}
        isAsked={job.actions.includes('resolve') && !waitsForOthers}
      />
      {failed.map(({ error }) => error && <ErrorNotice key={error.message + error.failure} error={error} />)}
      {waitsForOthers && <Note>{job.error} Someone who manages all faxes decides what to do with this fax.</Note>}
      {job.actions.includes('resolve') &&
        !waitsForOthers &&
        (hasEnded(job) ? (
          <SeenNotice
            job={job}
            busy={resolve.busy}
            error={resolve.error}
            onChoose={decide}
            others={(again) => <FurtherChoices job={job} actions={actions} again={again} />}
          />
        ) : (
          <UncertainChoices
            sentence={job.error}
            busy={resolve.busy}
            error={resolve.error}
            onChoose={decide}
            onDismiss={resolve.reset}
          />
        ))}
      {job.held && <HeldNotice held={job.held} />}
      <FaxHolds id={job.id} />
      {job.test && <Note>Test only: {hasEnded(job) ? 'no fax was sent' : 'no fax will be sent'}.</Note>}
      <p className={styles.quiet}>{headline(job)}</p>
      {!job.document_kept && <p className={styles.quiet}>{whyNoDocument(job.document_missing)}</p>}
      {job.document_kept && job.pages !== null && <PageStrip pages={job.pages} load={load} marks={marks} />}
      {job.document_kept && <FaxText direction="sent" id={job.id} />}
      {unmarked && <ErrorNotice error={unmarked} />}
      {find !== '' && marks && <FoundOn typed={find} marks={marks} />}
      <section aria-label="What happened">
        <h3>What happened</h3>
        <Timeline entries={job.timeline} />
      </section>
      <Openings openings={job.openings} />
      <FaxViews id={job.id} />
      {job.attempts.length > 0 && (
        <section aria-label="Attempts">
          <h3>{job.max_attempts ? `Attempts (up to ${job.max_attempts})` : 'Attempts'}</h3>
          <Attempts attempts={job.attempts} test={job.test} />
        </section>
      )}
      <section aria-label="Details">
        <h3>Details</h3>
        <JobFacts job={job} onOpen={onOpen} />
      </section>
    </div>
  )
}
