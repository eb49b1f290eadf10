import { Button } from '../../../ui/control/button.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { IconAlert } from '../../../ui/control/icons.ts'
import type { Outcome } from '../queries.ts'
import styles from './uncertain-choices.module.css'

interface Props {
  /** What the gateway says of it. */
  sentence: string | null
  busy: boolean
  error: Error | null
  onChoose: (outcome: Outcome) => void
}

/** For a fax that was delivered, and may have been delivered twice: what happened, and a button to say that it was seen. */
export function DuplicateNotice({ sentence, busy, error, onChoose }: Props) {
  return (
    <section className={styles.box} aria-label="This fax may have been delivered twice">
      <p className={styles.lead}>
        <IconAlert size="1rem" aria-hidden="true" />
        Delivered, possibly twice.
      </p>
      <p>{sentence ?? 'A second attempt may also have been delivered.'}</p>
      {error && <ErrorNotice error={error} />}
      <p>Tell the recipient if it matters. Then mark the fax as seen to clear it from Needs attention.</p>
      <div>
        <Button busy={busy} onClick={() => onChoose('delivered')}>
          Mark as seen
        </Button>
      </div>
    </section>
  )
}
