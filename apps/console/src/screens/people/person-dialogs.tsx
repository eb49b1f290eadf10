import type { Person } from '@faxdeck/contract'
import { roles } from '@faxdeck/contract/permissions'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { ConfirmAction } from '../../session/confirm-action.tsx'
import { endingOf, keepAll } from '../../session/let-in/ending.ts'
import { SelectField } from '../../ui/form/fields.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { PersonLeavings } from './person-leavings.tsx'
import { type PersonAction, roleChoices } from './person-words.ts'
import { peopleQuery, type PersonWithLink, renewInvitation, resetFactors, updatePerson } from './queries.ts'

interface Props {
  person: Person
  onLink: (made: PersonWithLink) => void
  onClose: () => void
}

/** A person, and the questions that lead on from there; each returns to the person. */
export function PersonDialogs({ person, onLink, onClose }: Props) {
  const [asking, setAsking] = useState<PersonAction>()
  const back = () => setAsking(undefined)
  if (asking === 'edit') return <EditDialog person={person} onClose={back} />
  if (asking === 'role') return <RoleDialog person={person} onClose={back} />
  if (asking === 'suspend') return <SuspendDialog person={person} onClose={back} />
  if (asking === 'reinstate') return <ReinstateDialog person={person} onClose={back} />
  if (asking === 'renew') return <RenewDialog person={person} onLink={onLink} onClose={back} />
  if (asking === 'reset') return <ResetDialog person={person} onClose={back} />
  return <PersonDialog person={person} onAsk={setAsking} onClose={onClose} />
}

interface PersonProps {
  person: Person
  onClose: () => void
}

const refreshes = [peopleQuery.queryKey]
/** With people, what they set up and is taken back. */
const refreshesAll = [...refreshes, ['api-keys'], ['settings'], ['webhooks']]

function ReinstateDialog({ person, onClose }: PersonProps) {
  return (
    <ConfirmAction
      title={`Reinstate ${person.name}?`}
      verb="Reinstate"
      perform={updatePerson}
      input={{ id: person.id, change: { suspended: false } }}
      refreshes={refreshes}
      toast={`${person.name} can sign in again`}
      onClose={onClose}
    >
      <p>
        They can sign in again with the same role and password. Anything undone when they were suspended stays undone.
        If they never signed in, they need a new link.
      </p>
    </ConfirmAction>
  )
}

function RenewDialog({ person, onLink, onClose }: PersonProps & { onLink: (made: PersonWithLink) => void }) {
  return (
    <ConfirmAction
      title={`Make a new link for ${person.name}?`}
      verb="Make link"
      perform={renewInvitation}
      input={person}
      refreshes={refreshes}
      onDone={onLink}
      onClose={onClose}
    >
      <p>
        {person.name} uses the link to choose a new password, for example if they forgot it or the first link expired.
        The link works once, within 72 hours. Earlier links stop working. The current password works until the new link
        is used.
      </p>
    </ConfirmAction>
  )
}

/** For somebody who has lost phone and recovery codes. */
function ResetDialog({ person, onClose }: PersonProps) {
  return (
    <ConfirmAction
      title={`Reset the second factors of ${person.name}?`}
      verb="Reset"
      danger
      perform={resetFactors}
      input={person}
      refreshes={refreshes}
      toast={`${person.name} now signs in with the password alone`}
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
    </ConfirmAction>
  )
}

/** Gives a person another role. Who administers no more leaves nothing behind that could let them back in. */
function RoleDialog({ person, onClose }: PersonProps) {
  const [role, setRole] = useState(person.role)
  const [choice, setChoice] = useState(keepAll)
  const change = useAction(updatePerson, {
    refreshes: refreshesAll,
    onDone: onClose,
    toast: ({ name, role: given }) => `${name}: ${roles[given].label}`,
  })
  const steps = person.role === 'administrator' && role !== 'administrator'
  return (
    <Confirm
      title={`Change the role of ${person.name}`}
      verb="Change role"
      danger={steps}
      action={change}
      onConfirm={() =>
        role === person.role
          ? onClose()
          : change.run({ id: person.id, change: { role, ...(steps ? endingOf(choice) : {}) } })
      }
      onClose={onClose}
    >
      <SelectField label="Role" help={roles[role].summary} choices={roleChoices} value={role} onChange={setRole} />
      <p>The new role takes effect immediately, including where they are signed in now.</p>
      {steps && <PersonLeavings person={person} choice={choice} onChoose={setChoice} />}
    </Confirm>
  )
}

/** Asks before somebody is suspended: what ends, what is undone, and what goes on working unless somebody ends it too. */
function SuspendDialog({ person, onClose }: PersonProps) {
  const [choice, setChoice] = useState(keepAll)
  return (
    <ConfirmAction
      title={`Suspend ${person.name}?`}
      verb="Suspend"
      danger
      perform={updatePerson}
      input={{ id: person.id, change: { suspended: true, ...endingOf(choice) } }}
      refreshes={refreshesAll}
      toast={`${person.name} is suspended`}
      onClose={onClose}
    >
      <p>
        Their sessions end immediately, their link stops working, and they can’t sign in until an administrator
        reinstates them. Their faxes are kept.
      </p>
      <PersonLeavings person={person} choice={choice} onChoose={setChoice} />
    </ConfirmAction>
  )
}
