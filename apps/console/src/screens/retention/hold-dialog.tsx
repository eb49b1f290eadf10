import type { LegalHold } from '@faxdeck/contract'
import { useState } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { type Fact, FactList } from '../../ui/layout/fact-list.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { Time } from '../../ui/time.tsx'
import { actorWords, holdKindWords, onSubject } from '../../ui/words/hold-words.ts'
import { HoldState } from './hold-state.tsx'
import { useLiftHold } from './queries.ts'

interface Props {
  hold: LegalHold
  onClose: () => void
}

/** Everything about one hold, and lifting it. */
export function HoldDialog({ hold, onClose }: Props) {
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
  const say = useToast()
  const lift = useLiftHold(() => {
    onClose()
    say('Hold lifted')
  })
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
