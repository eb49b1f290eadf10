import type { Person } from '@faxdeck/contract'
import { useAction } from '../../api/use-action.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { peopleQuery, renewInvitation, resetFactors, updatePerson, type PersonWithLink } from './queries.ts'

interface Props {
  person: Person
  onClose: () => void
}

export function ReinstateDialog({ person, onClose }: Props) {
  const say = useToast()
  const reinstate = useAction(updatePerson, {
    refreshes: [peopleQuery.queryKey],
    onDone: () => {
      onClose()
      say(`${person.name} can sign in again`)
    },
  })
  return (
    <Confirm
      title={`Reinstate ${person.name}?`}
      verb="Reinstate"
      action={reinstate}
      onConfirm={() => reinstate.run({ id: person.id, change: { suspended: false } })}
      onClose={onClose}
    >
      <p>
        They can sign in again with the same role and password. Anything undone when they were suspended stays undone.
        If they never signed in, they need a new link.
      </p>
    </Confirm>
  )
}

export function RenewDialog({ person, onLink, onClose }: Props & { onLink: (made: PersonWithLink) => void }) {
  const renew = useAction(renewInvitation, {
    refreshes: [peopleQuery.queryKey],
    onDone: (made) => {
      onClose()
      onLink(made)
    },
  })
  return (
    <Confirm
      title={`Make a new link for ${person.name}?`}
      verb="Make link"
      action={renew}
      onConfirm={() => renew.run(person)}
      onClose={onClose}
    >
      <p>
        {person.name} uses the link to choose a new password, for example if they forgot it or the first link expired.
        The link works once, within 72 hours. Earlier links stop working. The current password works until the new link
        is used.
      </p>
    </Confirm>
  )
}

/** For somebody who has lost phone and recovery codes. */
export function ResetDialog({ person, onClose }: Props) {
  const say = useToast()
  const reset = useAction(resetFactors, {
    refreshes: [peopleQuery.queryKey],
    onDone: () => {
      onClose()
      say(`${person.name} now signs in with the password alone`)
    },
  })
  return (
    <Confirm
      title={`Reset the second factors of ${person.name}?`}
      verb="Reset"
      danger
      action={reset}
      onConfirm={() => reset.run(person)}
      onClose={onClose}
    >
      <p>
        Their passkeys, authenticator app and recovery codes stop working, and they are signed out everywhere. This
        can’t be undone. They can then sign in with their password alone, see a notice about the reset, and can set up
        new factors.
      </p>
      <p>
        Make sure the request really comes from {person.name}. Until they set up new factors, anyone who knows the
        password can sign in.
      </p>
    </Confirm>
  )
}
