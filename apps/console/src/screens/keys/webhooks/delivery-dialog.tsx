import type { DetailedDelivery, WebhookDelivery } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../session/session.ts'
import { Button, CopyButton } from '../../../ui/control/button.tsx'
import { CodeBlock } from '../../../ui/layout/code-block.tsx'
import { type Fact, FactList } from '../../../ui/layout/fact-list.tsx'
import { ErrorNotice, Note, Skeleton } from '../../../ui/layout/states.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Time } from '../../../ui/time.tsx'
import { grouped } from '../../../ui/words/figures.ts'
import attemptsStyles from './attempts.module.css'
import { deliveryQuery } from './queries.ts'
import { ReplayButton } from './replay-button.tsx'
import { DeliveryChip } from './state-chips.tsx'
import { readablePayload } from './webhook-words.ts'
import styles from './webhooks.module.css'

interface Props {
  delivery: WebhookDelivery
  canReplay: boolean
  onClose: () => void
}

function factsOf(delivery: WebhookDelivery): Fact[] {
  const { id, tries, response_status: status, next_try_at: next, last_try_at: last, error, created_at } = delivery
  return [
    ['State', <DeliveryChip key="state" {...delivery} />],
    ['Error', error ?? '—'],
    ['HTTP status', status ?? 'No answer yet'],
    ['Attempts', tries],
    ['Next attempt', next ? <Time key="next" at={next} seconds /> : 'None'],
    ['Last attempt', <Time key="last" at={last} seconds />],
    ['Created', <Time key="created" at={created_at} seconds />],
    [
      'webhook-id',
      <span key="id" className={styles.address}>
        <code>{id}</code>
        <CopyButton text={id} what="webhook-id" tone="quiet" />
      </span>,
    ],
  ]
}

/** One message: how it went, what it says, and sending it again. */
export function DeliveryDialog({ delivery, canReplay, onClose }: Props) {
  const { go } = useSession()
  const [failure, setFailure] = useState<Error>()
  const { event, subject_id: subject } = delivery
  const place = event.startsWith('fax.') ? 'jobs' : event.startsWith('inbound.') ? 'inbound' : undefined
  const footer = (
    <>
      {place && <Button onClick={() => go(place, { open: subject })}>Open the fax</Button>}
      <Button onClick={onClose}>Close</Button>
      <ReplayButton delivery={delivery} canReplay={canReplay} tone="primary" onDone={onClose} onFailure={setFailure} />
    </>
  )
  return (
    <Dialog title={event} width="wide" onClose={onClose} footer={footer}>
      {failure && <ErrorNotice error={failure} />}
      {!canReplay && <Note>Resume the webhook to replay its deliveries.</Note>}
      <FactList live facts={factsOf(delivery)} />
      <Attempts delivery={delivery} />
      <CodeBlock title="Payload, without documents or phone numbers" what="payload" code={readablePayload(delivery)} />
    </Dialog>
  )
}

type Attempt = DetailedDelivery['attempts'][number]

/** Each attempt at a delivery: when it was made, how long it took and what was answered. */
function Attempts({ delivery }: { delivery: WebhookDelivery }) {
  const { data, error, isFetching, refetch } = useQuery(deliveryQuery(delivery))
  if (error) return <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={2} />
  if (data.attempts.length === 0) {
    return delivery.tries === 0 ? null : <p className="muted">Attempts for older deliveries were not recorded.</p>
  }
  return (
    <section className={attemptsStyles.attempts} aria-labelledby="attempts-title">
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
      <div className={attemptsStyles.head}>
        <Time at={at} seconds />
        <span>{status === null ? error : `HTTP ${status}`}</span>
        <span className="muted">{grouped(ms)} ms</span>
      </div>
      {body !== null && <pre tabIndex={0}>{body}</pre>}
    </>
  )
}
