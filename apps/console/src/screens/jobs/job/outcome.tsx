import type { Job } from '@faxdeck/contract'
import { losesWriting } from '@faxdeck/contract/page-notes'
import { useState } from 'react'
import { useSession } from '../../../session/session.ts'
import { Button } from '../../../ui/control/button.tsx'
import { FaxStatusChip } from '../../../ui/control/status-chip.tsx'
import { PageNotes } from '../../../ui/fax/page-notes.tsx'
import { doubtsIn, UnlikelyQuestion } from '../../../ui/fax/unlikely-question.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import type { useJobActions } from '../queries.ts'
import { outcomeWords, remedyOf } from './outcome-words.ts'
import { refusalIn, resendQuestion, resentWords } from './resent-words.ts'
import styles from './outcome.module.css'

interface Props {
  job: Job
  actions: ReturnType<typeof useJobActions>
}

interface OutcomeProps extends Props {
  /** A box below asks what to do, and has the steps. */
  isAsked: boolean
  onOpen: (id: string) => void
}

/** The answer first: how a fax stands, in a sentence, and the next step. */
export function Outcome({ job, actions, isAsked, onOpen }: OutcomeProps) {
  const { resent_as: as } = job
  const words = outcomeWords(job)
  return (
    <section aria-label="Outcome" className={styles.outcome}>
      <FaxStatusChip fax={job} />
      {words && <p className={styles.sentence}>{words.sentence}</p>}
      {words?.next && <p className="muted">{words.next}</p>}
      {as && (
        <Button tone="quiet" onClick={() => onOpen(as.id)}>
          {resentWords(as)}
        </Button>
      )}
      {!isAsked && <NextSteps job={job} actions={actions} />}
    </section>
  )
}

const isForElsewhere = ({ status, document_kept: kept }: Job) => status === 'FAILED' && kept

/** What else can be done with a fax that a box asks about. @param again what another copy would do */
export function FurtherChoices({ job, actions, again }: Props & { again: string }) {
  const { go } = useSession()
  return (
    <>
      {job.actions.includes('resend') && (
        <li>
          <Again job={job} resend={actions.resend} plain />
          <span>{again}</span>
        </li>
      )}
      {isForElsewhere(job) && (
        <li>
          <Elsewhere onPress={() => go('send', { open: job.id })} />
          <span>Sends the whole document as a new fax.</span>
        </li>
      )}
    </>
  )
}

function NextSteps({ job, actions }: Props) {
  const { go, may } = useSession()
  const { cancel, release } = actions
  const [releasing, setReleasing] = useState(false)
  const allows = (action: Job['actions'][number]) =>
    job.actions.includes(action) && (action !== 'release' || may('handle_faxes'))
  // A fax that the provider lists was probably sent: its release is no first choice.
  const isListed = (job.held?.found.length ?? 0) > 0
  const mayGoElsewhere = isForElsewhere(job)
  const isWrongNumber = remedyOf(job).first === 'another' || job.resend_refusal === 'number_failed'
  if (!['release', 'cancel', 'resend'].some((action) => allows(action as Job['actions'][number]))) return null
  return (
    <div className={styles.steps}>
      {allows('release') && (
        <Button tone={isListed ? 'plain' : 'primary'} busy={release.busy} onClick={() => setReleasing(true)}>
          Release
        </Button>
      )}
      {allows('cancel') && <Button action={cancel}>Cancel fax</Button>}
      {mayGoElsewhere && isWrongNumber && <Elsewhere first onPress={() => go('send', { open: job.id })} />}
      {allows('resend') && <Again job={job} resend={actions.resend} />}
      {mayGoElsewhere && !isWrongNumber && <Elsewhere onPress={() => go('send', { open: job.id })} />}
      {releasing && allows('release') && (
        <Confirm
          title="Release this fax?"
          verb="Release"
          action={release}
          onConfirm={() => release.run(undefined)}
          onClose={() => setReleasing(false)}
        >
          The fax will be sent now. If it was already sent after the backup, the recipient gets it twice.
        </Confirm>
      )}
    </div>
  )
}

function Elsewhere({ first = false, onPress }: { first?: boolean; onPress: () => void }) {
  return (
    <Button tone={first ? 'primary' : 'plain'} onClick={onPress}>
      Send to another number…
    </Button>
  )
}

function Again({ job, resend, plain = false }: { job: Job; resend: Props['actions']['resend']; plain?: boolean }) {
  const [asking, setAsking] = useState(false)
  // A fax that arrived, or that loses writing, goes out again only after a second thought.
  const isAsked = job.status === 'SUCCESS' || job.resend_refusal !== null || job.page_notes.some(losesWriting)
  const isFirst = !plain && job.status === 'FAILED' && job.resend_refusal === null && remedyOf(job).first === 'again'
  const close = () => {
    setAsking(false)
    resend.reset()
  }
  return (
    <>
      <Button
        tone={isFirst ? 'primary' : 'plain'}
        busy={resend.busy}
        onClick={() => (isAsked ? setAsking(true) : resend.run({}))}
      >
        Send again
      </Button>
      {(asking || refusalIn(resend.error) || doubtsIn(resend.error).length > 0) && (
        <SendAgain job={job} resend={resend} onClose={close} />
      )}
    </>
  )
}

interface SendAgainProps {
  job: Job
  resend: ReturnType<typeof useJobActions>['resend']
  onClose: () => void
}

/** Asks before a fax goes out a second time, and before one goes out although the recipient cannot read all of it. */
function SendAgain({ job, resend, onClose }: SendAgainProps) {
  const lost = job.page_notes.filter(losesWriting)
  const isLossy = lost.length > 0
  // What the gateway refused may have happened since the job was read.
  const refusal = refusalIn(resend.error) ?? job.resend_refusal
  const choice = { ...(isLossy && { unreadable: 'send' as const }), ...(refusal && { force: true }) }
  const doubts = doubtsIn(resend.error)
  if (doubts.length > 0)
    return (
      <UnlikelyQuestion
        doubts={doubts}
        action={{ busy: resend.busy }}
        onConfirm={() => resend.run({ ...choice, allow_unlikely_number: true })}
        onClose={onClose}
      />
    )
  return (
    <Confirm
      title={isLossy ? 'Send it with unreadable parts?' : 'Send this fax again?'}
      verb={isLossy ? 'Send anyway' : 'Send again'}
      action={{ busy: resend.busy, error: refusalIn(resend.error) ? null : resend.error }}
      onConfirm={() => resend.run(choice)}
      onClose={onClose}
    >
      {refusal && <p>{resendQuestion(job, refusal)}</p>}
      {!refusal && job.status === 'SUCCESS' && <p>The test already passed. It runs again, as a new fax.</p>}
      {isLossy && (
        <>
          <PageNotes notes={lost} />
          <p>The recipient won’t be able to read these parts. The fax is sent as it is, with a note on the job.</p>
        </>
      )}
    </Confirm>
  )
}
