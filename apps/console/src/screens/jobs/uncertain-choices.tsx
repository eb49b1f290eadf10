import { useState } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { IconQuestion } from '../../ui/control/icons.ts'
import type { Outcome } from './queries.ts'
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
    meaning: 'The recipient has it, or the provider’s own records say so.',
    question: 'Mark this fax as delivered?',
    effect: 'It ends as SUCCESS and is not sent again. This cannot be undone.',
  },
  {
    outcome: 'failed',
    label: 'It failed',
    meaning: 'It did not arrive, and need not be sent now.',
    question: 'Mark this fax as failed?',
    effect: 'It ends as FAILED and nothing is sent. It can be sent again later.',
  },
  {
    outcome: 'send_again',
    label: 'Send it again',
    meaning: 'Better twice than not at all.',
    question: 'Send this fax again?',
    effect: 'It goes out once more. If the first one did arrive, the recipient gets it twice.',
  },
]

/** For a fax of which nobody knows whether it arrived: the three ways out and what each means. */
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
        Nobody knows whether it arrived. You decide.
      </p>
      <p>Ask the recipient, or look the fax up at the provider. It is not sent again by itself.</p>
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
          busy={busy}
          error={error}
          onConfirm={() => onChoose(asked.outcome)}
          onClose={close}
        >
          {asked.effect}
        </Confirm>
      )}
    </section>
  )
}
