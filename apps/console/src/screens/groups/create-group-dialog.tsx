import type { Group } from '@faxdeck/contract'
import { useState } from 'react'
import { TextField } from '../../ui/form/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { useCreateGroup } from './queries.ts'

interface Props {
  onClose: () => void
  onCreated: (group: Group) => void
}

/** Asks for the name of a new group. Its numbers and people are added to it then. */
export function CreateGroupDialog({ onClose, onCreated }: Props) {
  const [name, setName] = useState('')
  const create = useCreateGroup(onCreated)
  return (
    <FormDialog
      title="Add a group"
      verb="Add"
      ready={name.trim() !== ''}
      action={create}
      onSubmit={() => create.run(name.trim())}
      onClose={onClose}
    >
      <TextField
        label="Name"
        help="The team that shares the faxes, such as “Cardiology” or “Front desk”."
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
      />
    </FormDialog>
  )
}
