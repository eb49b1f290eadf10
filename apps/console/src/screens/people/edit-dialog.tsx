import type { Person } from '@faxdeck/contract'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { fieldsOf, TextField } from '../../ui/form/fields.tsx'
import { FormDialog } from '../../ui/overlay/dialog.tsx'
import { peopleQuery, updatePerson } from './queries.ts'

/** Corrects the name and the email address of a person. Nobody changes their own address. */
export function EditDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { person: own } = useSession()
  const { id } = person
  const [entered, setEntered] = useState({ name: person.name, email: person.email })
  const name = entered.name.trim()
  const email = entered.email.trim()
  const isMoved = email.toLowerCase() !== person.email.toLowerCase()
  const change = { ...(name !== person.name && { name }), ...(email !== person.email && { email }) }
  const save = useAction(updatePerson, {
    refreshes: [peopleQuery.queryKey, ['groups'], ['account']],
    toast: (saved) => `${saved.name} is saved`,
    onDone: onClose,
  })
  const field = fieldsOf(entered, setEntered)
  return (
    <FormDialog
      title={`Edit ${person.name}`}
      verb="Save"
      ready={name !== '' && email !== '' && Object.keys(change).length > 0}
      action={save}
      onSubmit={() => save.run({ id, change })}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={100} {...field('name')} />
      <TextField
        label="Email"
        type="email"
        maxLength={254}
        disabled={own?.id === id}
        help={own?.id === id ? 'Another administrator can change your email address.' : 'Used to sign in.'}
        {...field('email')}
      />
      {isMoved && (
        <p>
          They are signed out everywhere and sign in with the new address; the password stays. A link that was not used
          stops working. Single sign-on keeps opening this account for the same account at the provider. If somebody
          else has the old address now, suspend this person instead and invite the other.
        </p>
      )}
    </FormDialog>
  )
}
