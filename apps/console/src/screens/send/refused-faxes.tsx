import { ErrorNotice } from '../../ui/error-notice.tsx'
import type { FailedFax } from './draft.ts'
import styles from './send.module.css'

interface Props {
  failed: readonly FailedFax[]
  busy: boolean
  /** Tries all of them again. */
  onRetry: () => void
}

/** The faxes the gateway did not take, and why. Their recipients still stand in the form. */
export function RefusedFaxes({ failed, busy, onRetry }: Props) {
  return failed.map(({ to, problem }, index) => (
    <div key={to} className={styles.refused}>
      <p>Not sent to {to}</p>
      <ErrorNotice error={problem} {...(index === 0 && { onRetry, busy })} />
    </div>
  ))
}
