import { ErrorNotice } from '../../../ui/layout/states.tsx'
import type { FailedFax } from '../draft.ts'
import styles from '../send.module.css'

interface Props {
  failed: readonly FailedFax[]
  busy: boolean
  /** Tries all of them again. */
  onRetry: () => void
}

const reasonOf = ({ problem: { message, answer } }: FailedFax) => `${message} ${answer?.detail}`

/** The faxes the gateway did not take, and why, once for each reason. Their recipients still stand in the form. */
export function RefusedFaxes({ failed, busy, onRetry }: Props) {
  const byReason = Map.groupBy(failed, reasonOf)
  return [...byReason].map(([reason, [first, ...more]], index) =>
    first ? (
      <div key={reason} className={styles.refused}>
        <p>Not sent to {[first, ...more].map(({ to }) => to).join(', ')}</p>
        <ErrorNotice error={first.problem} {...(index === 0 && { onRetry, busy })} />
      </div>
    ) : null,
  )
}
