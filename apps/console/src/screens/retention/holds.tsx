import type { LegalHold } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconLock } from '../../ui/control/icons.ts'
import { Switch } from '../../ui/form/switch.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { Time } from '../../ui/time.tsx'
import { useKept } from '../../ui/use-kept.ts'
import { actorWords, holdSubject, onSubject } from '../../ui/words/hold-words.ts'
import { HoldDialog } from './hold-dialog.tsx'
import { HoldState } from './hold-state.tsx'
import { place } from './place.ts'
import { holdsQuery } from './queries.ts'
import styles from './retention.module.css'

const columns: Column<LegalHold>[] = [
  { key: 'subject', label: 'Applies to', card: 'title', cell: holdSubject },
  { key: 'reason', label: 'Reason', width: 'minmax(0, 1.5fr)', cell: ({ reason }) => reason },
  { key: 'by', label: 'Placed by', width: '11rem', cell: (hold) => actorWords(hold.placed_by, hold.placed_by_name) },
  { key: 'at', label: 'Placed', width: '9rem', cell: ({ placed_at: at }) => <Time at={at} /> },
  { key: 'state', label: 'State', width: '7rem', card: 'side', cell: (hold) => <HoldState hold={hold} /> },
]

/** The legal holds: those in force, and on demand those that were lifted. */
export function Holds() {
  const { visit, go } = useSession()
  const { data: holds, error, isFetching, refetch } = useQuery(holdsQuery)
  const [withLifted, setWithLifted] = useKept('retention.lifted', false)
  const lifted = holds?.filter(({ lifted_at: at }) => at !== null).length ?? 0
  const shown = holds?.filter(({ lifted_at: at }) => withLifted || at === null)
  const opened = holds?.find(({ id }) => id === visit.open)
  const lead = lifted > 0 ? 'No active holds' : 'No legal holds'
  return (
    <>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!holds && !error && <Skeleton lines={4} height={2.5} />}
      {lifted > 0 && (
        <div className={styles.options}>
          <Switch label="Show lifted holds" checked={withLifted} onChange={setWithLifted} />
        </div>
      )}
      {shown?.length === 0 && (
        <EmptyState
          icon={IconLock}
          title={lead}
          why="A hold keeps the documents of a fax, number, person, API key or group until someone lifts it, regardless of the retention rules."
          next={<Button onClick={() => go(place, { open: 'new' })}>Place a hold</Button>}
        />
      )}
      {shown && shown.length > 0 && (
        <DataTable
          label="Legal holds"
          rows={shown}
          idOf={({ id }) => id}
          nameOf={(hold) => `hold on ${onSubject(hold)}`}
          columns={columns}
          onOpen={({ id }) => go(place, { open: id })}
        />
      )}
      {opened && <HoldDialog key={opened.id} hold={opened} onClose={() => go(place, { replace: true })} />}
    </>
  )
}
