import type { Person } from '@faxdeck/contract'
import { roles } from '@faxdeck/contract/permissions'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { SelectField } from '../../ui/form/select-field.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { endingOf, keepAll } from '../../session/let-in/ending.ts'
import { useToast } from '../../ui/overlay/toast.tsx'
import { PersonLeavings } from './person-leavings.tsx'
import { roleChoices } from './person-words.ts'
import { peopleQuery, updatePerson } from './queries.ts'

/** Gives a person another role. Who administers no more leaves nothing behind that could let them back in. */
export function RoleDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const [role, setRole] = useState(person.role)
  const [choice, setChoice] = useState(keepAll)
  const say = useToast()
  const change = useAction(updatePerson, {
    refreshes: [peopleQuery.queryKey, ['api-keys'], ['settings'], ['webhooks']],
    onDone: ({ name, role: given }) => {
      onClose()
      say(`${name}: ${roles[given].label}`)
    },
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
