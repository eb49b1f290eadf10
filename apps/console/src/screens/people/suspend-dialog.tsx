import type { Person } from '@faxdeck/contract'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { endingOf, keepAll } from '../../session/let-in/ending.ts'
import { useToast } from '../../ui/overlay/toast.tsx'
import { PersonLeavings } from './person-leavings.tsx'
import { peopleQuery, updatePerson } from './queries.ts'

interface Props {
  person: Person
  onClose: () => void
}

/** Asks before somebody is suspended: what ends, what is undone, and what goes on working unless somebody ends it too. */
export function SuspendDialog({ person, onClose }: Props) {
  const [choice, setChoice] = useState(keepAll)
  const say = useToast()
  const suspend = useAction(updatePerson, {
    refreshes: [peopleQuery.queryKey, ['api-keys'], ['settings'], ['webhooks']],
    onDone: () => {
      onClose()
      say(`${person.name} is suspended`)
    },
  })
  return (
    <Confirm
      title={`Suspend ${person.name}?`}
      verb="Suspend"
      danger
      action={suspend}
      onConfirm={() => suspend.run({ id: person.id, change: { suspended: true, ...endingOf(choice) } })}
      onClose={onClose}
    >
      <p>
        Their sessions end immediately, their link stops working, and they can’t sign in until an administrator
        reinstates them. Their faxes are kept.
      </p>
      <PersonLeavings person={person} choice={choice} onChoose={setChoice} />
    </Confirm>
  )
}
