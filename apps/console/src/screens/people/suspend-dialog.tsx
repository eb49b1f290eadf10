import type { Person } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { gatewayNow } from '../../api/live/gateway-clock.ts'
import { useAction } from '../../api/use-action.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import styles from './people.module.css'
import { PersonLeavings } from './person-leavings.tsx'
import { invitedLately } from './person-words.ts'
import { keysOfQuery, peopleQuery, updatePerson } from './queries.ts'

interface Props {
  person: Person
  people: readonly Person[]
  onClose: () => void
}

/** Asks before somebody is suspended: what ends, what is undone, and what goes on working unless somebody ends it too. */
export function SuspendDialog({ person, people, onClose }: Props) {
  const say = useToast()
  const suspend = useAction(updatePerson, {
    refreshes: [peopleQuery.queryKey, ['settings'], ['webhooks']],
    onDone: () => {
      onClose()
      say(`${person.name} is suspended`)
    },
  })
  const invited = invitedLately(people, person, gatewayNow())
  const { data: keys = [] } = useQuery(keysOfQuery(person.id))
  return (
    <Confirm
      title={`Suspend ${person.name}?`}
      verb="Suspend"
      danger
      action={suspend}
      onConfirm={() => suspend.run({ id: person.id, change: { suspended: true } })}
      onClose={onClose}
    >
      <p>
        Their sessions end immediately, their link stops working, and they can’t sign in until an administrator
        reinstates them. Their faxes are kept.
      </p>
      <PersonLeavings person={person} />
      {invited.length > 0 && (
        <p className={styles.warning}>
          In the last 30 days they invited people who keep their accounts: {invited.map(({ name }) => name).join(', ')}.
          Suspend anyone who should not stay.
        </p>
      )}
      {keys.length > 0 && (
        <p className={styles.warning}>
          API keys they created keep working: {keys.join(', ')}. Revoke any that should stop.
        </p>
      )}
    </Confirm>
  )
}
