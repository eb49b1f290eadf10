import { Button } from '../control/button.tsx'
import styles from './error-notice.module.css'
import { IconAlert } from '../control/icons.ts'
import { wordsOf } from '../words/problem-words.ts'

interface Props {
  error: Error
  /** What failed, where the call's own sentence says it less exactly. */
  what?: string
  onRetry?: () => void
  /** While the retry runs. */
  busy?: boolean
}

/**
 * A failure, announced at once: what failed, why (the server's own words when it gave any), what to do, Retry.
 *
 *     {jobs.error && <ErrorNotice error={jobs.error} onRetry={() => void jobs.refetch()} />}
 */
export function ErrorNotice({ error, what, onRetry, busy }: Props) {
  const { what: failure, why, advice, fields, requestId } = wordsOf(error)
  return (
    <div className={styles.notice} role="alert">
      <IconAlert size="1.125rem" aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.what}>{what ?? failure}</p>
        <p>{why}</p>
        {fields.length > 0 && (
          <ul className={styles.fields}>
            {fields.map(({ field, message }) => (
              <li key={field + message}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        )}
        {advice && <p className={styles.advice}>{advice}</p>}
        {requestId && (
          <p className={styles.advice}>
            Request ID <code>{requestId}</code>
          </p>
        )}
      </div>
      {onRetry && (
        <Button onClick={onRetry} busy={busy}>
          Retry
        </Button>
      )}
    </div>
  )
}
