import { useState, type SubmitEvent } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { SecretField } from '../../ui/form/secret-field.tsx'
import form from '../../ui/form/fields.module.css'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { changePassword } from './queries.ts'

/** Chooses another password; every other session ends. */
export function PasswordDialog({ email, onDone, onClose }: { email: string; onDone: () => void; onClose: () => void }) {
  const [next, setNext] = useState('')
  const change = useAction(changePassword, { onDone, refreshes: [['account']] })
  const fault = change.error?.answer?.fields?.[0]?.message
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (next) change.run(next)
  }
  const type = (value: string) => {
    setNext(value)
    change.reset()
  }
  return (
    <Dialog title="Change password" onClose={onClose} dismissable={!change.busy}>
      <form className={form.form} onSubmit={submit}>
        {/* Password managers keep the password under this name. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <SecretField
          label="New password"
          autoComplete="new-password"
          value={next}
          onChange={type}
          wrong={fault}
          help={fault === undefined ? 'At least 12 characters. You will be signed out everywhere else.' : undefined}
        />
        {change.error && fault === undefined && <ErrorNotice error={change.error} />}
        <Button type="submit" tone="primary" disabled={!next} busy={change.busy}>
          Change password
        </Button>
      </form>
    </Dialog>
  )
}
