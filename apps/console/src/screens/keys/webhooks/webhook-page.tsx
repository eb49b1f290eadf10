import type { ListedWebhook } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Button } from '../../../ui/control/button.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { IconChevronLeft, IconWebhook } from '../../../ui/control/icons.ts'
import { PageHead } from '../../../ui/layout/page-head.tsx'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { useKept } from '../../../ui/use-kept.ts'
import { Deliveries } from './deliveries.tsx'
import { webhooksQuery } from './queries.ts'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookFacts } from './webhook-facts.tsx'
import { anyState, webhookName } from './webhook-words.ts'
import styles from './webhooks.module.css'

interface Props {
  id: string
  onLeave: () => void
  onRemoved: () => void
}

/** One webhook: what it is, what can be done with it, and what was sent to it. */
export function WebhookPage({ id, onLeave, onRemoved }: Props) {
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
