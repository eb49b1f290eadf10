import type { ListedWebhook } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../../session/session.ts'
import { Button } from '../../../ui/control/button.tsx'
import { IconPlus, IconWebhook } from '../../../ui/control/icons.ts'
import { EmptyState, ErrorNotice, Skeleton } from '../../../ui/layout/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { Column } from '../../../ui/table/table-columns.ts'
import { Time } from '../../../ui/time.tsx'
import { createWebhook, webhooksQuery, type WebhookWithSecret } from './queries.ts'
import { DeliveryChip, WebhookChip } from './state-chips.tsx'
import { SecretDialog } from './webhook-dialogs.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { shortAddress, webhookName } from './webhook-words.ts'
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
      {shown && <SecretDialog webhook={shown} onDone={() => setShown(undefined)} />}
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

interface WebhookTableProps {
  webhooks: readonly ListedWebhook[]
  onOpen: (webhook: ListedWebhook) => void
}

function LastDelivery({ row: { last_delivery: last } }: { row: ListedWebhook }) {
  if (!last) return <span className="muted">Nothing sent yet</span>
  return (
    <span className={styles.row}>
      <DeliveryChip {...last} />
      <Time at={last.last_try_at ?? last.created_at} />
    </span>
  )
}

const columns: Column<ListedWebhook>[] = [
  {
    key: 'name',
    label: 'Webhook',
    card: 'title',
    width: '13rem',
    cell: webhookName,
  },
  { key: 'state', label: 'State', card: 'side', width: '7rem', cell: (row) => <WebhookChip {...row} /> },
  {
    key: 'address',
    label: 'Address',
    cell: (row) => (
      <span className={styles.short} title={row.url}>
        {shortAddress(row.url)}
      </span>
    ),
  },
  { key: 'events', label: 'Events', cell: (row) => row.events.join(', ') },
  { key: 'last', label: 'Last delivery', width: '14rem', cell: (row) => <LastDelivery row={row} /> },
]

/** The webhooks, each with how it fares. */
function WebhookTable({ webhooks, onOpen }: WebhookTableProps) {
  return (
    <DataTable
      label="Webhooks"
      rows={webhooks}
      idOf={(row) => row.id}
      nameOf={(row) => `webhook ${webhookName(row)}`}
      columns={columns}
      onOpen={onOpen}
    />
  )
}
