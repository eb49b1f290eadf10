import type { Webhook } from '@faxdeck/contract'
import { CopyButton } from '../../../ui/control/copy-button.tsx'
import { type Fact, FactList } from '../../../ui/layout/fact-list.tsx'
import { Note } from '../../../ui/layout/note.tsx'
import { Time } from '../../../ui/time.tsx'
import { WebhookChip } from './state-chips.tsx'
import { overlapEnd } from './webhook-words.ts'
import styles from './webhooks.module.css'

function Secrets({ until }: { until: string | undefined }) {
  if (!until) return 'One, shown when it was created'
  return (
    <>
      Two: the previous one is valid until <Time at={until} />
    </>
  )
}

/** What a webhook is, and what keeps it from being delivered. */
export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { url, events, enabled, disabled_reason: reason, failing_since: failing, created_at } = webhook
  const facts: Fact[] = [
    [
      'Address',
      <span key="address" className={styles.address}>
        <code>{url}</code>
        <CopyButton text={url} what="address" tone="quiet" />
      </span>,
    ],
    ['Events', events.join(', ')],
    ['State', <WebhookChip key="state" {...webhook} />],
    ['Secrets', <Secrets key="secrets" until={overlapEnd(webhook)} />],
    ['Added', <Time key="added" at={created_at} />],
  ]
  return (
    <div className={styles.about}>
      {!enabled && (
        <Note tone={reason ? 'warn' : 'info'}>
          {reason ?? 'Paused.'} Its endpoint receives nothing until you resume the webhook. Missed deliveries can then
          be replayed.
        </Note>
      )}
      {enabled && failing && (
        <Note tone="warn">
          Every attempt has failed since <Time at={failing} />. After five days of failures, the webhook is stopped.
        </Note>
      )}
      <FactList facts={facts} />
    </div>
  )
}
