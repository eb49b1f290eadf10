import type { Passkey } from '@faxdeck/contract'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { renamePasskey } from './queries.ts'

/** Gives a passkey another name. The device that keeps it goes on calling it what it likes. */
export function RenameDialog({ passkey: { id, name: before }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [typed, setTyped] = useState(before)
  const rename = useAction(renamePasskey, { onDone: onClose, refreshes: [['account', 'factors']] })
  const name = typed.trim()
  return (
    <FormDialog
      title={`Rename the passkey “${before}”`}
      verb="Rename"
      ready={name !== ''}
      action={rename}
      onSubmit={() => (name === before ? onClose() : rename.run({ id, name }))}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={60} autoFocus value={typed} onChange={setTyped} />
    </FormDialog>
  )
}
