import { useState } from 'react'
import { Button } from '../../../ui/control/button.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { IconQuestion } from '../../../ui/control/icons.ts'
import type { Outcome } from '../queries.ts'
import styles from './uncertain-choices.module.css'

interface Props {
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
export function UncertainChoices({ busy, error, onChoose, onDismiss }: Props) {
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
