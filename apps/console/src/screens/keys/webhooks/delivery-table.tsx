import type { WebhookDelivery } from '@faxdeck/contract'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { Column } from '../../../ui/table/table-columns.ts'
import { Time } from '../../../ui/time.tsx'
import { ReplayButton } from './replay-button.tsx'
import { DeliveryChip } from './state-chips.tsx'

interface Props {
  deliveries: readonly WebhookDelivery[]
  canReplay: boolean
  current: string | undefined
  onOpen: (delivery: WebhookDelivery) => void
  onFailure: (failure: Error | undefined) => void
}

function columnsFor({ canReplay, onFailure }: Props): Column<WebhookDelivery>[] {
  return [
    { key: 'event', label: 'Event', card: 'title', width: '10rem', cell: ({ event }) => event },
    { key: 'at', label: 'Time', width: '10rem', cell: (row) => <Time at={row.created_at} seconds /> },
    { key: 'state', label: 'State', card: 'side', width: '9rem', cell: (row) => <DeliveryChip {...row} /> },
    { key: 'tries', label: 'Attempts', width: '5.5rem', align: 'end', cell: ({ tries }) => tries },
    {
      key: 'status',
      label: 'HTTP status',
      width: '6.75rem',
      align: 'end',
      cell: (row) => row.response_status ?? <span aria-label="no answer">—</span>,
    },
    { key: 'next', label: 'Next attempt', width: '8.5rem', cell: (row) => <Time at={row.next_try_at} /> },
    { key: 'error', label: 'Error', cell: ({ error }) => error ?? '—' },
    {
      key: 'actions',
      label: 'Actions',
      width: '6.5rem',
      align: 'end',
      card: 'foot',
      cell: (row) => <ReplayButton delivery={row} canReplay={canReplay} tone="quiet" onFailure={onFailure} />,
    },
  ]
}

/** What was sent, newest first. */
export function DeliveryTable(props: Props) {
  return (
    <DataTable
      label="Deliveries"
      rows={props.deliveries}
      idOf={({ id }) => id}
      nameOf={({ id, event }) => `${event} ${id.slice(4, 12)}`}
      columns={columnsFor(props)}
      current={props.current}
      onOpen={props.onOpen}
    />
  )
}
