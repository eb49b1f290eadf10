import type { ListedWebhook, Webhook } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Button, CopyButton } from '../../../ui/control/button.tsx'
import { IconChevronLeft, IconWebhook } from '../../../ui/control/icons.ts'
import { type Fact, FactList } from '../../../ui/layout/fact-list.tsx'
import { PageHead } from '../../../ui/layout/page-head.tsx'
import { EmptyState, ErrorNotice, Note, Skeleton } from '../../../ui/layout/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { useKept } from '../../../ui/use-kept.ts'
import { Deliveries } from './deliveries.tsx'
import { webhooksQuery } from './queries.ts'
import { WebhookChip } from './state-chips.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { anyState, contentNames, overlapEnd, webhookName } from './webhook-words.ts'
import styles from './webhooks.module.css'

/** One webhook: what it is, what can be done with it, and what was sent to it. */
export function WebhookPage({ id, onLeave, onRemoved }: { id: string; onLeave: () => void; onRemoved: () => void }) {
  const { data: webhooks, error, isFetching, refetch } = useQuery(webhooksQuery)
  const webhook = webhooks?.find((each) => each.id === id)
  // What was pressed to come here is gone, and so may be the place where the list was scrolled to.
  const arrive = useCallback((button: HTMLButtonElement | null) => {
    scrollTo(0, 0)
    button?.focus({ preventScroll: true })
  }, [])
  const back = (
    <Button icon={IconChevronLeft} ref={arrive} tone="quiet" onClick={onLeave}>
      All keys and webhooks
    </Button>
  )
  if (webhook) {
    return (
      <>
        <div className={styles.back}>{back}</div>
        {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
        <OneWebhook webhook={webhook} onRemoved={onRemoved} />
      </>
    )
  }
  return (
    <>
      <PageHead title="Webhook" purpose="Deliveries to this endpoint." actions={webhooks ? null : back} />
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!webhooks && !error && <Skeleton lines={6} height={2.5} />}
      {webhooks && (
        <EmptyState
          icon={IconWebhook}
          title="This webhook was removed"
          why="The webhook and its delivery log were deleted."
          next={back}
        />
      )}
    </>
  )
}

function OneWebhook({ webhook, onRemoved }: { webhook: ListedWebhook; onRemoved: () => void }) {
  const [state, keepState] = useKept('webhooks.state', anyState)
  const [opened, setOpened] = useState<string>()
  const [removing, setRemoving] = useState(false)
  // A test is to be seen, whatever was looked for before.
  const showTest = (message: string) => {
    keepState(anyState)
    setOpened(message)
  }
  return (
    <>
      <WebhookActions webhook={webhook} onRemoving={setRemoving} onRemoved={onRemoved} onTested={showTest}>
        {(actions) => (
          <PageHead title={webhookName(webhook)} purpose="Deliveries to this endpoint." actions={actions} />
        )}
      </WebhookActions>
      <WebhookFacts webhook={webhook} />
      <Deliveries
        key={state}
        webhook={webhook}
        ending={removing}
        state={state}
        onState={keepState}
        opened={opened}
        onOpen={setOpened}
      />
    </>
  )
}

function Secrets({ until }: { until: string | undefined }) {
  if (!until) return 'One, shown when it was created'
  return (
    <>
      Two: the previous one is valid until <Time at={until} />
    </>
  )
}

/** What a webhook is, and what keeps it from being delivered. */
function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { url, events, enabled, disabled_reason: reason, failing_since: failing, created_at } = webhook
  const received: Fact = ['Contents of received faxes', contentNames[webhook.inbound_content]]
  const facts: Fact[] = [
    [
      'Address',
      <span key="address" className={styles.address}>
        <code>{url}</code>
        <CopyButton text={url} what="address" tone="quiet" />
      </span>,
    ],
    ['Events', events.join(', ')],
    ...(events.some((event) => event.startsWith('inbound.')) ? [received] : []),
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
