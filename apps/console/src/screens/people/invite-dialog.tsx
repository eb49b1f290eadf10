import { type Role, roles } from '@faxdeck/contract/permissions'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { roleChoices } from './person-words.ts'
import { invitePerson, peopleQuery, type PersonWithLink } from './queries.ts'

interface Props {
  onClose: () => void
  onInvited: (made: PersonWithLink) => void
}

export function InviteDialog({ onClose, onInvited }: Props) {
  const [entered, setEntered] = useState({ name: '', email: '', role: 'operator' as Role })
  const invite = useAction(invitePerson, {
    refreshes: [peopleQuery.queryKey],
    onDone: (made) => {
      onClose()
      onInvited(made)
    },
  })
  const name = entered.name.trim()
  const email = entered.email.trim()
  const set = (change: Partial<typeof entered>) => setEntered({ ...entered, ...change })
  return (
    <FormDialog
      title="Invite a person"
      verb="Invite"
      ready={name !== '' && email !== ''}
      action={invite}
      onSubmit={() => invite.run({ ...entered, name, email })}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={100} autoFocus value={entered.name} onChange={(name) => set({ name })} />
      <TextField
        label="Email"
        type="email"
        maxLength={254}
        help="Used to sign in. Faxdeck doesn’t send email: you get a link to pass on."
        value={entered.email}
        onChange={(email) => set({ email })}
      />
      <SelectField
        label="Role"
        help={roles[entered.role].summary}
        choices={roleChoices}
        value={entered.role}
        onChange={(role) => set({ role })}
      />
    </FormDialog>
  )
}
