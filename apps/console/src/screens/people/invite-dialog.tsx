import { type Role, roles } from '@faxdeck/contract/permissions'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { fieldsOf, SelectField, TextField } from '../../ui/form/fields.tsx'
import { isLoopback } from '../../ui/layout/https-note.tsx'
import { Note } from '../../ui/layout/states.tsx'
import { FormDialog } from '../../ui/overlay/dialog.tsx'
import { IssuedDialog } from '../../ui/overlay/issued-dialog.tsx'
import { Time } from '../../ui/time.tsx'
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
  const field = fieldsOf(entered, setEntered)
  return (
    <FormDialog
      title="Invite a person"
      verb="Invite"
      ready={name !== '' && email !== ''}
      action={invite}
      onSubmit={() => invite.run({ ...entered, name, email })}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={100} autoFocus {...field('name')} />
      <TextField
        label="Email"
        type="email"
        maxLength={254}
        help="Used to sign in. Faxdeck doesn’t send email: you get a link to pass on."
        {...field('email')}
      />
      <SelectField label="Role" help={roles[entered.role].summary} choices={roleChoices} {...field('role')} />
    </FormDialog>
  )
}

/** The only time a link is seen. */
export function LinkDialog({
  person,
  token,
  renewed,
  onDone,
}: PersonWithLink & { renewed: boolean; onDone: () => void }) {
  const link = `${location.origin}${location.pathname}#invitation=${token}`
  const lead = `Copy it now. It won’t be shown again. Give it to ${person.name} only: whoever opens it chooses the password for ${person.email}.`
  return (
    <IssuedDialog title={`Sign-in link for ${person.name}`} value={link} copy="Copy link" lead={lead} onDone={onDone}>
      {isLoopback(location.hostname) && (
        <Note tone="warn">
          <p>
            This link opens on this computer only, because you opened the console as {location.hostname}. To let others
            in, set HOST and ADMIN_ALLOWED_CIDRS, open the console by an address that they can reach, and create the
            link there. The guide “People” says how.
          </p>
        </Note>
      )}
      <p>
        It works once, until <Time at={person.link_expires_at} dated />.{renewed && ' Earlier links no longer work.'}
      </p>
    </IssuedDialog>
  )
}
