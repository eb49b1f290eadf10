import { Button } from '../../../ui/control/button.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { IconAlert } from '../../../ui/control/icons.ts'
import type { Outcome } from '../queries.ts'
import styles from './uncertain-choices.module.css'

const words = {
  /** Delivered, and perhaps delivered twice. */
  SUCCESS: {
    name: 'This fax may have been delivered twice',
    lead: 'Delivered, possibly twice.',
    usual: 'A second attempt may also have been delivered.',
    next: 'Tell the recipient if it matters. Then mark the fax as seen to clear it from Needs attention.',
    outcome: 'delivered',
  },
  /** A part of it arrived, or may have. */
  FAILED: {
    name: 'Only part of this fax may have arrived',
    lead: 'Only partly delivered.',
    usual: 'The call was cut off before the last page was confirmed.',
    next: 'Faxdeck won’t resend this fax automatically, because some pages would print twice. Send it again, or mark it as seen.',
    outcome: 'failed',
  },
} as const

interface Props {
  status: keyof typeof words
  /** What the gateway says of it. */
  sentence: string | null
  busy: boolean
  error: Error | null
  onChoose: (outcome: Outcome) => void
}

/** For a fax whose end is known and still needs a look: what happened, and a button to say that it was seen. */
export function SeenNotice({ status, sentence, busy, error, onChoose }: Props) {
  const { name, lead, usual, next, outcome } = words[status]
  return (
    <section className={styles.box} aria-label={name}>
      <p className={styles.lead}>
        <IconAlert size="1rem" aria-hidden="true" />
        {lead}
      </p>
      <p>{sentence ?? usual}</p>
      {error && <ErrorNotice error={error} />}
      <p>{next}</p>
      <div>
        <Button busy={busy} onClick={() => onChoose(outcome)}>
          Mark as seen
        </Button>
      </div>
    </section>
  )
}
