import type { Group } from '@faxdeck/contract'
import { useId, useState, type SubmitEvent } from 'react'
import { Button } from '../../ui/control/button.tsx'
import form from '../../ui/form/fields.module.css'
import { TextField } from '../../ui/form/text-field.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useCreateGroup } from './queries.ts'

interface Props {
  onClose: () => void
  onCreated: (group: Group) => void
}

/** Asks for the name of a new group. Its numbers and people are added to it then. */
export function CreateGroupDialog({ onClose, onCreated }: Props) {
  const [name, setName] = useState('')
  const formId = useId()
  const create = useCreateGroup(onCreated)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (name.trim()) create.run(name.trim())
  }
  const footer = (
    <>
      <Button onClick={onClose} disabled={create.busy}>
        Cancel
      </Button>
      <Button type="submit" form={formId} tone="primary" busy={create.busy} disabled={!name.trim()}>
        Add
      </Button>
    </>
  )
  return (
    <Dialog title="Add a group" onClose={onClose} dismissable={!create.busy} footer={footer}>
      <form id={formId} className={form.form} onSubmit={submit}>
        <TextField
          label="Name"
          help="The team that shares the faxes, such as “Cardiology” or “Front desk”."
          maxLength={100}
          autoFocus
          value={name}
          onChange={setName}
        />
        {create.error && <ErrorNotice error={create.error} />}
      </form>
    </Dialog>
  )
}
