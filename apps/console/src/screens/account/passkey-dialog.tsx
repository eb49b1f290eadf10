import type { QueryKey } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import form from '../../ui/form/fields.module.css'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { browserName } from '../../ui/words/browser-name.ts'
import { addPasskey } from './queries.ts'

const maxName = 60

interface Props {
  /** With new recovery codes; null when those there were stay good. */
  onDone: (codes: string[] | null) => void
  onClose: () => void
  /** What to ask for again; the account when absent. */
  refreshes?: QueryKey[]
}

/** Names a passkey and has the browser make it. */
export function PasskeyDialog({ onDone, onClose, refreshes = [['account']] }: Props) {
  const [name, setName] = useState(() => browserName(navigator.userAgent).slice(0, maxName))
  const add = useAction(addPasskey, {
    onDone: ({ recovery_codes: codes }) => onDone(codes),
    refreshes,
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (name.trim()) add.run(name.trim())
  }
  return (
    <Dialog title="Add a passkey" onClose={onClose} dismissable={!add.busy}>
      <form className={form.form} onSubmit={submit}>
        <p>
          A passkey is stored on this device, your phone or a security key. You unlock it with your fingerprint, face or
          PIN. It works only at this address.
        </p>
        <TextField
          label="Name"
          help="Helps you recognize it in the list."
          maxLength={maxName}
          value={name}
          onChange={setName}
        />
        {add.error && <ErrorNotice error={add.error} />}
        <Button type="submit" tone="primary" disabled={!name.trim()} busy={add.busy}>
          Add passkey
        </Button>
      </form>
    </Dialog>
  )
}
