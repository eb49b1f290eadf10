import type { LegalHold } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconLock } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { Switch, TextField } from '../../ui/form/fields.tsx'
import { type Fact, FactList } from '../../ui/layout/fact-list.tsx'
import { EmptyState, ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Confirm, Dialog } from '../../ui/overlay/dialog.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { Time } from '../../ui/time.tsx'
import { useKept } from '../../ui/use-kept.ts'
import { actorWords, holdKindWords, holdSubject, onSubject } from '../../ui/words/hold-words.ts'
import { holdsQuery, useLiftHold } from './queries.ts'
import { place } from './retention-words.ts'
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

interface Props {
  hold: LegalHold
  onClose: () => void
}

/** Everything about one hold, and lifting it. */
function HoldDialog({ hold, onClose }: Props) {
  const [lifting, setLifting] = useState(false)
  if (lifting) return <LiftDialog hold={hold} onBack={() => setLifting(false)} onClose={onClose} />
  const { kind, subject, subject_name: name, reason, placed_by: by, placed_at: at, lifted_at: liftedAt } = hold
  const facts: Fact[] = [
    [holdKindWords[kind], name === null ? <code key="id">{subject}</code> : name],
    ['State', <HoldState key="state" hold={hold} />],
    ['Reason', reason],
    ['Placed by', actorWords(by, hold.placed_by_name)],
    ['Placed', <Time key="at" at={at} seconds dated />],
  ]
  if (liftedAt !== null)
    facts.push(
      ['Lifted by', actorWords(hold.lifted_by ?? '', hold.lifted_by_name)],
      ['Lifted', <Time key="lifted" at={liftedAt} seconds dated />],
      ['Reason for lifting', hold.lift_reason],
    )
  const footer = (
    <>
      <Button onClick={onClose}>Close</Button>
      {liftedAt === null && (
        <Button tone="danger" onClick={() => setLifting(true)}>
          Lift hold…
        </Button>
      )}
    </>
  )
  return (
    <Dialog title={`Hold on ${onSubject(hold)}`} onClose={onClose} footer={footer}>
      <FactList look="tiles" facts={facts} />
    </Dialog>
  )
}

function LiftDialog({ hold, onBack, onClose }: Props & { onBack: () => void }) {
  const [reason, setReason] = useState('')
  const lift = useLiftHold(onClose)
  return (
    <Confirm
      title={`Lift the hold on ${onSubject(hold)}?`}
      verb="Lift hold"
      danger
      confirmable={reason.trim() !== ''}
      action={lift}
      onConfirm={() => lift.run({ id: hold.id, reason: reason.trim() })}
      onClose={onBack}
    >
      <p>
        The retention rules apply to its documents again, unless another hold keeps them. Documents past their retention
        period are deleted within the hour and can’t be recovered.
      </p>
      <TextField
        label="Reason"
        help="For example, “Case closed, letter of May 12”. Recorded in the audit trail."
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
    </Confirm>
  )
}

function HoldState({ hold }: { hold: LegalHold }) {
  return hold.lifted_at === null ? (
    <Chip tone="info" icon={IconLock}>
      Active
    </Chip>
  ) : (
    <Chip tone="plain">Lifted</Chip>
  )
}
