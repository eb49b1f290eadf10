import { type Role, roles } from '@faxdeck/contract/permissions'
import { useId, useState, type SubmitEvent } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import form from '../../ui/form/fields.module.css'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { roleChoices } from './person-words.ts'
import { invitePerson, peopleQuery, type PersonWithLink } from './queries.ts'

interface Props {
  onClose: () => void
  onInvited: (made: PersonWithLink) => void
}

export function InviteDialog({ onClose, onInvited }: Props) {
  const [entered, setEntered] = useState({ name: '', email: '', role: 'operator' as Role })
  const formId = useId()
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
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (name && email) invite.run({ ...entered, name, email })
  }
  const footer = (
    <>
      <Button onClick={onClose} disabled={invite.busy}>
        Cancel
      </Button>
      <Button type="submit" form={formId} tone="primary" busy={invite.busy} disabled={!name || !email}>
        Invite
      </Button>
    </>
  )
  return (
    <Dialog title="Invite a person" onClose={onClose} dismissable={!invite.busy} footer={footer}>
      <form id={formId} className={form.form} onSubmit={submit}>
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
        {invite.error && <ErrorNotice error={invite.error} />}
      </form>
    </Dialog>
  )
}
