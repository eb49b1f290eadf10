import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from '../control/button.tsx'
import { IconAlert, IconCheck, IconInfo } from '../control/icons.ts'
import { wordsOf } from '../words/problem-words.ts'
import emptyStateStyles from './empty-state.module.css'
import errorNoticeStyles from './error-notice.module.css'
import noteStyles from './note.module.css'
import styles from './skeleton.module.css'

interface Props {
  /** How many lines stand where the text will be. */
  lines?: number
  /** Height of one line in rem: 1 for text, 2.5 for table rows. */
  height?: number
}

/** Holds the place of what is being fetched, so that nothing jumps when it comes. */
export function Skeleton({ lines = 3, height = 1 }: Props) {
  return (
    <div className={styles.skeleton} aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} style={{ height: `${height}rem` }} />
      ))}
    </div>
  )
}

interface EmptyStateProps {
  icon: Icon
  /** What this is: "No faxes yet". */
  title: string
  /** Why it is empty. */
  why: string
  /** The one next step: a Button. */
  next?: ReactNode
}

/** Shown instead of an empty list: what this is, why it is empty, the one next step. */
export function EmptyState({ icon: Shape, title, why, next }: EmptyStateProps) {
  return (
    <div className={emptyStateStyles.empty}>
      <Shape size="2rem" stroke={1.5} aria-hidden="true" />
      <p className={emptyStateStyles.title}>{title}</p>
      <p className={emptyStateStyles.why}>{why}</p>
      {next}
    </div>
  )
}

interface ErrorNoticeProps {
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
export function ErrorNotice({ error, what, onRetry, busy }: ErrorNoticeProps) {
  const { what: failure, why, advice, fields, requestId, about } = wordsOf(error)
  return (
    <div className={errorNoticeStyles.notice} role="alert">
      <IconAlert size="1.125rem" aria-hidden="true" />
      <div className={errorNoticeStyles.words}>
        <p className={errorNoticeStyles.what}>{what ?? failure}</p>
        <p>{why}</p>
        {fields.length > 0 && (
          <ul className={errorNoticeStyles.fields}>
            {fields.map(({ field, message }) => (
              <li key={field + message}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        )}
        {advice && <p className={errorNoticeStyles.advice}>{advice}</p>}
        {(requestId ?? about) && (
          <p className={errorNoticeStyles.advice}>
            {requestId && (
              <>
                Request ID <code>{requestId}</code>{' '}
              </>
            )}
            {about && (
              <a href={about} target="_blank" rel="noreferrer">
                About this error
              </a>
            )}
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

const looks = { info: IconInfo, warn: IconAlert, ok: IconCheck } as const

/** A remark beside what it is about: something to know, to beware of, or that went well. Not announced. */
export function Note({ tone = 'info', children }: { tone?: keyof typeof looks; children: ReactNode }) {
  const Shape = looks[tone]
  return (
    <div className={noteStyles.note} data-tone={tone}>
      <Shape size="1.125rem" aria-hidden="true" />
      <div>{children}</div>
    </div>
  )
}
