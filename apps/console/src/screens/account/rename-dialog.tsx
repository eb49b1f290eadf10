import type { Passkey } from '@faxdeck/contract'
import { useId, useState, type SubmitEvent } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import form from '../../ui/form/fields.module.css'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { renamePasskey } from './queries.ts'

/** Gives a passkey another name. The device that keeps it goes on calling it what it likes. */
export function RenameDialog({ passkey: { id, name: before }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [typed, setTyped] = useState(before)
  const formId = useId()
  const rename = useAction(renamePasskey, { onDone: onClose, refreshes: [['account', 'factors']] })
  const name = typed.trim()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (name === before) onClose()
    else if (name) rename.run({ id, name })
  }
  const footer = (
    <>
      <Button onClick={onClose} disabled={rename.busy}>
        Cancel
      </Button>
      <Button type="submit" form={formId} tone="primary" busy={rename.busy} disabled={!name}>
        Rename
      </Button>
    </>
  )
  return (
    <Dialog title={`Rename the passkey “${before}”`} onClose={onClose} dismissable={!rename.busy} footer={footer}>
      <form id={formId} className={form.form} onSubmit={submit}>
        <TextField label="Name" maxLength={60} autoFocus value={typed} onChange={setTyped} />
        {rename.error && <ErrorNotice error={rename.error} />}
      </form>
    </Dialog>
  )
}
