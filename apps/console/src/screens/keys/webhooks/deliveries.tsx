import type { DeliveryState, Webhook, WebhookDelivery } from '@faxdeck/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Button } from '../../../ui/control/button.tsx'
import { IconSend } from '../../../ui/control/icons.ts'
import { SelectField } from '../../../ui/form/fields.tsx'
import { EmptyState, ErrorNotice, Skeleton } from '../../../ui/layout/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { NewRowsPill, useHeldRows, useScrolled } from '../../../ui/table/held-rows.tsx'
import { LoadMore } from '../../../ui/table/load-more.tsx'
import type { Column } from '../../../ui/table/table-columns.ts'
import { Time } from '../../../ui/time.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { deliveriesQuery } from './queries.ts'
import { ReplayButton } from './replay-button.tsx'
import { DeliveryChip } from './state-chips.tsx'
import { anyState, stateChoices } from './webhook-words.ts'
import styles from './webhooks.module.css'

interface Props {
  webhook: Webhook
  /** It is being removed: what is shown is not asked for again. */
  ending: boolean
  state: DeliveryState | ''
  onState: (state: DeliveryState | '') => void
  /** The message whose details are open. */
  opened: string | undefined
  onOpen: (id: string | undefined) => void
}

/** What was sent to a webhook. Give it the state as its key: the rows of one filter are not held for the next. */
export function Deliveries({ webhook, ending, state, onState, opened, onOpen }: Props) {
  const list = useInfiniteQuery({ ...deliveriesQuery(webhook.id, state), enabled: !ending })
  const { data, error, isFetching, refetch } = list
  const messages = useMemo(() => data?.pages.flat() ?? [], [data])
  const { rows, arrivals, showArrivals } = useHeldRows(messages, useScrolled())
  const [failure, setFailure] = useState<Error>()
  const shown = messages.find(({ id }) => id === opened)
  return (
    <section className={styles.section} aria-labelledby="deliveries-title">
      <div className={styles.head}>
        <div>
          <h2 id="deliveries-title">Deliveries</h2>
          <p className="muted">
            The last 1,000 deliveries, kept for 30 days. A failed delivery is retried up to eight times over about a
            day.
          </p>
        </div>
        <SelectField label="Show" value={state} choices={stateChoices} onChange={onState} />
      </div>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {failure && <ErrorNotice error={failure} />}
      <NewRowsPill
        count={arrivals}
        onShow={() => {
          showArrivals()
          scrollTo(0, 0)
        }}
      />
      {!data && !error && <Skeleton lines={6} height={2.5} />}
      {data && rows.length === 0 && <NoDeliveries filtered={state !== anyState} onClear={() => onState(anyState)} />}
      {rows.length > 0 && (
        <>
          <DeliveryTable
            deliveries={rows}
            canReplay={webhook.enabled}
            current={opened}
            onOpen={({ id }) => onOpen(id)}
            onFailure={setFailure}
          />
          <LoadMore
            shown={rows.length}
            more={list.hasNextPage}
            busy={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        </>
      )}
      {shown && (
        <DeliveryDialog key={shown.id} delivery={shown} canReplay={webhook.enabled} onClose={() => onOpen(undefined)} />
      )}
    </section>
  )
}

function NoDeliveries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) {
    return (
      <EmptyState
        icon={IconSend}
        title="Nothing sent yet"
        why="Deliveries appear here once an event this webhook subscribes to occurs. To check the endpoint now, send a test."
      />
    )
  }
  return (
    <EmptyState
      icon={IconSend}
      title="No matching deliveries"
      why="No delivery of this webhook has this status."
      next={<Button onClick={onClear}>Show all</Button>}
    />
  )
}

interface DeliveryTableProps {
  deliveries: readonly WebhookDelivery[]
  canReplay: boolean
  current: string | undefined
  onOpen: (delivery: WebhookDelivery) => void
  onFailure: (failure: Error | undefined) => void
}

function columnsFor({ canReplay, onFailure }: DeliveryTableProps): Column<WebhookDelivery>[] {
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
function DeliveryTable(props: DeliveryTableProps) {
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
