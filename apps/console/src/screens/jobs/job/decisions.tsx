import type { Job } from '@faxdeck/contract'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/control/button.tsx'
import { IconAlert, IconQuestion } from '../../../ui/control/icons.ts'
import { ErrorNotice } from '../../../ui/layout/states.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import type { Outcome } from '../queries.ts'
import styles from './uncertain-choices.module.css'

const words = {
  /** Delivered, and perhaps delivered twice. */
  twice: {
    name: 'This fax may have been delivered twice',
    lead: 'Delivered, possibly twice.',
    usual: 'A second attempt may also have been delivered.',
    next: 'Tell the recipient if it matters.',
    again: 'The recipient gets another copy.',
    outcome: 'delivered',
  },
  /** Delivered, with fewer pages confirmed than it has. */
  short: {
    name: 'Pages of this fax may be missing',
    lead: 'Delivered, but not every page is confirmed.',
    usual: 'The provider confirmed fewer pages than the fax has.',
    next: 'Ask the recipient whether pages are missing.',
    again: 'Sends the whole fax. Pages that arrived print twice.',
    outcome: 'delivered',
  },
  /** A part of it arrived, or may have. */
  part: {
    name: 'Only part of this fax may have arrived',
    lead: 'Only partly delivered.',
    usual: 'The call was cut off before the last page was confirmed.',
    next: 'Faxdeck won’t resend this fax automatically.',
    again: 'Sends the whole fax. Pages that arrived print twice.',
    outcome: 'failed',
  },
} as const

/** What there is to see. */
function whatToSee({ status, pages, pages_confirmed: confirmed }: Job): keyof typeof words {
  if (status === 'FAILED') return 'part'
  return confirmed !== null && pages !== null && confirmed < pages ? 'short' : 'twice'
}

interface Props {
  job: Job
  busy: boolean
  error: Error | null
  onChoose: (outcome: Outcome) => void
  /** The further choices, as items of a list, given what another copy would do. */
  others: (again: string) => ReactNode
}

/** For a fax whose end is known and still needs a look: what happened, and what can be done, the harmless first. */
export function SeenNotice({ job, busy, error, onChoose, others }: Props) {
  const { name, lead, usual, next, again, outcome } = words[whatToSee(job)]
  return (
    <section className={styles.box} aria-label={name}>
      <p className={styles.lead}>
        <IconAlert size="1rem" aria-hidden="true" />
        {lead}
      </p>
      <p>{job.error ?? usual}</p>
      {error && <ErrorNotice error={error} />}
      <p>{next}</p>
      <ul>
        <li>
          <Button busy={busy} onClick={() => onChoose(outcome)}>
            Mark as seen
          </Button>
          <span>Clears it from Needs attention. Nothing is sent.</span>
        </li>
        {others(again)}
      </ul>
    </section>
  )
}

interface UncertainChoicesProps {
  /** What the gateway says of it. */
  sentence: string | null
  busy: boolean
  error: Error | null
  onChoose: (outcome: Outcome) => void
  /** Forgets the last failure. */
  onDismiss: () => void
}

const choices: readonly { outcome: Outcome; label: string; meaning: string; question: string; effect: string }[] = [
  {
    outcome: 'delivered',
    label: 'It was delivered',
    meaning: 'The recipient has it, or the provider’s records confirm it.',
    question: 'Mark this fax as delivered?',
    effect: 'The fax is marked as delivered and won’t be sent again. This can’t be undone.',
  },
  {
    outcome: 'failed',
    label: 'It failed',
    meaning: 'It did not arrive. Close it as failed.',
    question: 'Mark this fax as failed?',
    effect: 'The fax is marked as failed and nothing is sent. You can send it again later.',
  },
  {
    outcome: 'send_again',
    label: 'Send it again',
    meaning: 'Send another copy, even if it arrives twice.',
    question: 'Send this fax again?',
    effect: 'The fax is sent again. If the first copy arrived, the recipient gets it twice.',
  },
]

/** For a fax that may or may not have arrived: the three ways out and what each means. */
export function UncertainChoices({ sentence, busy, error, onChoose, onDismiss }: UncertainChoicesProps) {
  const [asking, setAsking] = useState<Outcome>()
  const asked = choices.find(({ outcome }) => outcome === asking)
  const close = () => {
    setAsking(undefined)
    onDismiss()
  }
  return (
    <section className={styles.box} aria-label="Decide about this fax">
      <p className={styles.lead}>
        <IconQuestion size="1rem" aria-hidden="true" />
        This fax may or may not have arrived. You decide.
      </p>
      {sentence && <p>{sentence}</p>}
      <p>Ask the recipient, or look up the fax with the provider. Faxdeck won’t resend it on its own.</p>
      <ul>
        {choices.map(({ outcome, label, meaning }) => (
          <li key={outcome}>
            <Button onClick={() => setAsking(outcome)}>{label}</Button>
            <span>{meaning}</span>
          </li>
        ))}
      </ul>
      {asked && (
        <Confirm
          title={asked.question}
          verb={asked.label}
          action={{ busy, error }}
          onConfirm={() => onChoose(asked.outcome)}
          onClose={close}
        >
          {asked.effect}
        </Confirm>
      )}
    </section>
  )
}
