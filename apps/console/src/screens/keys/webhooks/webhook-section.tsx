import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../../session/session.ts'
import { Button } from '../../../ui/control/button.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { IconPlus, IconWebhook } from '../../../ui/control/icons.ts'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { TokenDialog } from '../token-dialog.tsx'
import { createWebhook, webhooksQuery, type WebhookWithSecret } from './queries.ts'
import { SecretWords } from './secret-words.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookTable } from './webhook-table.tsx'
import { webhookName } from './webhook-words.ts'
import styles from './webhooks.module.css'

interface Props {
  /** The one that was seen before, empty when it is gone: a person who comes back goes on there. */
  left: string | undefined
  adding: boolean
  onAdd: () => void
  onAdded: () => void
  onOpen: (id: string) => void
}

/** The programs that are notified of what happens, below the keys with which programs ask. */
export function WebhookSection({ left, adding, onAdd, onAdded, onOpen }: Props) {
  const { data: webhooks, error, isFetching, refetch } = useQuery(webhooksQuery)
  const [shown, setShown] = useState<WebhookWithSecret>()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (left === undefined) return
    const openers = [...document.querySelectorAll<HTMLElement>('[data-opener]')]
    const opener = openers.find(({ dataset }) => dataset.opener === left)
    ;(opener ?? title.current)?.focus()
  }, [left])
  const add = (
    <Button icon={IconPlus} onClick={onAdd}>
      Add webhook
    </Button>
  )
  return (
    <section className={styles.section} aria-labelledby="webhooks-title">
      <div className={styles.head}>
        <div>
          <h2 ref={title} id="webhooks-title" tabIndex={-1}>
            Webhooks
          </h2>
          <p className="muted">
            Notify your systems of fax events. <Guide />
          </p>
        </div>
        {webhooks && webhooks.length > 0 && add}
      </div>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!webhooks && !error && <Skeleton lines={2} height={2.5} />}
      {webhooks?.length === 0 && (
        <EmptyState
          icon={IconWebhook}
          title="No webhooks yet"
          why="Add an endpoint to receive a signed request when a fax is delivered, fails or arrives."
          next={add}
        />
      )}
      {webhooks && webhooks.length > 0 && <WebhookTable webhooks={webhooks} onOpen={({ id }) => onOpen(id)} />}
      {adding && (
        <WebhookForm title="Add a webhook" verb="Add" save={createWebhook} onClose={onAdded} onSaved={setShown} />
      )}
      {shown && (
        <TokenDialog
          title={`The secret of ${webhookName(shown)}`}
          token={shown.secret}
          copy="Copy secret"
          onDone={() => setShown(undefined)}
        >
          <SecretWords />
        </TokenDialog>
      )}
    </section>
  )
}

function Guide() {
  const { config } = useSession()
  const base = config.branding.docs_base.replace(/\/$/, '')
  return (
    <a href={`${base}/webhooks/`} target="_blank" rel="noreferrer">
      Payloads and signatures
    </a>
  )
}
