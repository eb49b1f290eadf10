import type { Job } from '@faxdeck/contract'
import { Button } from '../../../ui/control/button.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { IconAlert } from '../../../ui/control/icons.ts'
import type { Outcome } from '../queries.ts'
import styles from './uncertain-choices.module.css'

const words = {
  /** Delivered, and perhaps delivered twice. */
  twice: {
    name: 'This fax may have been delivered twice',
    lead: 'Delivered, possibly twice.',
    usual: 'A second attempt may also have been delivered.',
    next: 'Tell the recipient if it matters. Then mark the fax as seen to clear it from Needs attention.',
    outcome: 'delivered',
  },
  /** Delivered, with fewer pages confirmed than it has. */
  short: {
    name: 'Pages of this fax may be missing',
    lead: 'Delivered, but not every page is confirmed.',
    usual: 'The provider confirmed fewer pages than the fax has.',
    next: 'Ask the recipient. Send it again if pages are missing, or mark it as seen.',
    outcome: 'delivered',
  },
  /** A part of it arrived, or may have. */
  part: {
    name: 'Only part of this fax may have arrived',
    lead: 'Only partly delivered.',
    usual: 'The call was cut off before the last page was confirmed.',
    next: 'Faxdeck won’t resend this fax automatically, because some pages would print twice. Send it again, or mark it as seen.',
    outcome: 'failed',
  },
} as const

/** What there is to see. */
export function whatToSee({ status, pages, pages_confirmed: confirmed }: Job): keyof typeof words {
  if (status === 'FAILED') return 'part'
  return confirmed !== null && pages !== null && confirmed < pages ? 'short' : 'twice'
}

interface Props {
  what: keyof typeof words
  /** What the gateway says of it. */
  sentence: string | null
  busy: boolean
  error: Error | null
  onChoose: (outcome: Outcome) => void
}

/** For a fax whose end is known and still needs a look: what happened, and a button to say that it was seen. */
export function SeenNotice({ what, sentence, busy, error, onChoose }: Props) {
  const { name, lead, usual, next, outcome } = words[what]
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
