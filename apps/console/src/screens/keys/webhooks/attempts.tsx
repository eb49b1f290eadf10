import type { DetailedDelivery, WebhookDelivery } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { grouped } from '../../../ui/words/grouped.ts'
import { deliveryQuery } from './queries.ts'
import styles from './attempts.module.css'

type Attempt = DetailedDelivery['attempts'][number]

/** Each attempt at a delivery: when it was made, how long it took and what was answered. */
export function Attempts({ delivery }: { delivery: WebhookDelivery }) {
  const { data, error, isFetching, refetch } = useQuery(deliveryQuery(delivery))
  if (error) return <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={2} />
  if (data.attempts.length === 0) {
    return delivery.tries === 0 ? null : <p className="muted">Attempts for older deliveries were not recorded.</p>
  }
  return (
    <section className={styles.attempts} aria-labelledby="attempts-title">
      <h3 id="attempts-title">Attempts, newest first</h3>
      <ol>
        {data.attempts.toReversed().map((attempt) => (
          <li key={attempt.at}>
            <AttemptRow attempt={attempt} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function AttemptRow({ attempt }: { attempt: Attempt }) {
  const { at, duration_ms: ms, response_status: status, error, response_body: body } = attempt
  return (
    <>
      <div className={styles.head}>
        <Time at={at} seconds />
        <span>{status === null ? error : `HTTP ${status}`}</span>
        <span className="muted">{grouped(ms)} ms</span>
      </div>
      {body !== null && <pre tabIndex={0}>{body}</pre>}
    </>
  )
}
