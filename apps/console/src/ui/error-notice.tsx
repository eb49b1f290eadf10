import { Button } from './button.tsx'
import styles from './error-notice.module.css'
import { IconAlert } from './icons.ts'
import { wordsOf } from './problem-words.ts'

interface Props {
  error: Error
  onRetry?: () => void
  /** While the retry runs. */
  busy?: boolean
}

/**
 * A failure, announced at once: what failed, why (the server's own words when it gave any), what to do, Retry.
 *
 *     {jobs.error && <ErrorNotice error={jobs.error} onRetry={() => void jobs.refetch()} />}
 */
export function ErrorNotice({ error, onRetry, busy }: Props) {
  const { what, why, advice, fields, requestId } = wordsOf(error)
  return (
    <div className={styles.notice} role="alert">
      <IconAlert size={18} aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.what}>{what}</p>
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
        <p className={styles.advice}>{advice}</p>
        {requestId && (
          <p className={styles.advice}>
            Request id <code>{requestId}</code>
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
