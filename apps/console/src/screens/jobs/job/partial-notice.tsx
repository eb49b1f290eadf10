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

/** For a fax of which a part arrived, or may have: what happened, and a button to say that it was seen. */
export function PartialNotice({ sentence, busy, error, onChoose }: Props) {
  return (
    <section className={styles.box} aria-label="Only part of this fax may have arrived">
      <p className={styles.lead}>
        <IconAlert size="1rem" aria-hidden="true" />
        Only partly delivered.
      </p>
      <p>{sentence ?? 'The call was cut off before the last page was confirmed.'}</p>
      {error && <ErrorNotice error={error} />}
      <p>
        Faxdeck won’t resend this fax automatically, because some pages would print twice. Send it again, or mark it as
        seen.
      </p>
      <div>
        <Button busy={busy} onClick={() => onChoose('failed')}>
          Mark as seen
        </Button>
      </div>
    </section>
  )
}
