import type { BroadcastDetail, JobSummary } from '@faxdeck/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { FaxNumber } from '../../session/fax-number.tsx'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { FaxStatusChip } from '../../ui/control/status-chip.tsx'
import { ShortId } from '../../ui/fax/masked-number.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { Ago } from '../../ui/time.tsx'
import { shortCause } from '../../ui/words/fax-words.ts'
import { type OutcomeKind, outcomeLabel } from './broadcast-words.ts'
import styles from './broadcasts.module.css'
import { recipientsQuery } from './queries.ts'

const columns: readonly Column<JobSummary>[] = [
  { key: 'id', label: 'Job ID', width: '5.75rem', card: 'title', cell: ({ id }) => <ShortId id={id} /> },
  {
    key: 'to',
    label: 'Number',
    width: '11rem',
    card: 'lead',
    cell: ({ id, to_number: number }) => <FaxNumber id={id} side="sent" number={number} look="list" />,
  },
  { key: 'name', label: 'Name', cell: ({ recipient }) => recipient ?? '—' },
  { key: 'status', label: 'Status', width: '10.5rem', card: 'side', cell: (job) => <FaxStatusChip fax={job} /> },
  { key: 'error', label: 'Error', cell: (job) => shortCause(job) || '—' },
  { key: 'updated', label: 'Updated', width: '7rem', cell: (job) => <Ago at={job.updated_at} brief /> },
]

interface Props {
  broadcast: BroadcastDetail
  /** The only outcome that is listed. */
  only: OutcomeKind | undefined
  onAll: () => void
}

/** To whom a broadcast goes, and how each fax stands. */
export function BroadcastRecipients({ broadcast, only, onAll }: Props) {
  const { go } = useSession()
  const { id, faxes, counts } = broadcast
  const list = useInfiniteQuery(recipientsQuery(id, only?.key))
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, refetch, fetchNextPage } = list
  const rows = data?.pages.flatMap(({ jobs }) => jobs) ?? []
  return (
    <section className={styles.recipients} aria-labelledby="recipients">
      <div className={styles.actions}>
        <h2 id="recipients">{only ? `Recipients: ${outcomeLabel(only, broadcast)}` : 'Recipients'}</h2>
        {only && (
          <Button tone="quiet" onClick={onAll}>
            Show all
          </Button>
        )}
      </div>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={4} height={2.5} />}
      {data && rows.length === 0 && <p className="muted">No fax has this outcome now.</p>}
      {rows.length > 0 && (
        <>
          <DataTable
            label="Recipients"
            rows={rows}
            idOf={(job) => job.id}
            nameOf={(job) => `fax ${job.id.slice(0, 8)}`}
            columns={columns}
            onOpen={(job) => go('jobs', { open: job.id })}
          />
          <LoadMore
            shown={rows.length}
            total={only ? counts[only.key] : faxes}
            more={hasNextPage}
            busy={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        </>
      )}
    </section>
  )
}
