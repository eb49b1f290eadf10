import type { ListedWebhook } from '@faxdeck/contract'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { Column } from '../../../ui/table/table-columns.ts'
import { Time } from '../../../ui/time.tsx'
import { DeliveryChip, WebhookChip } from './state-chips.tsx'
import { shortAddress, webhookName } from './webhook-words.ts'
import styles from './webhooks.module.css'

interface Props {
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
export function WebhookTable({ webhooks, onOpen }: Props) {
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
