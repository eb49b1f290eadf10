import { useQuery, type QueryKey } from '@tanstack/react-query'
import { useState, type ReactNode, type SubmitEvent } from 'react'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconFingerprint } from '../../ui/control/icons.ts'
import { SecretField } from '../../ui/form/secret-field.tsx'
import form from '../../ui/form/fields.module.css'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { confirmByPasskey, confirmByPassword, factorsQuery } from './queries.ts'

interface Settled<Input, Reply> {
  onDone?: (reply: Reply, input: Input) => void
  refreshes?: QueryKey[]
  /** They do not want to prove who they are. */
  onGiveUp?: () => void
}

/**
 * An action that asks who somebody is when they have not proved it lately, and then goes on.
 * @returns the action, and `question` to show where it is
 */
export function useConfirmed<Input, Reply>(
  perform: (input: Input) => Promise<Reply>,
  { onGiveUp, ...settled }: Settled<Input, Reply>,
) {
  const action = useAction(perform, settled)
  const [last, setLast] = useState<{ input: Input }>()
  const asks = action.error?.answer?.code === 'confirmation_required'
  const run = (input: Input) => {
    setLast({ input })
    action.run(input)
  }
  const giveUp = () => {
    action.reset()
    onGiveUp?.()
  }
  const question: ReactNode = asks && last && <ConfirmDialog onDone={() => action.run(last.input)} onClose={giveUp} />
  return { ...action, run, error: asks ? null : action.error, question }
}

function ConfirmDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { data: factors } = useQuery(factorsQuery)
  const [password, setPassword] = useState('')
  const byPassword = useAction(confirmByPassword, { onDone })
  const byPasskey = useAction(confirmByPasskey, { onDone })
  const isWrong = byPassword.error?.answer?.code === 'sign_in_refused'
  const failure = (isWrong ? null : byPassword.error) ?? byPasskey.error
  const hasPasskey = (factors?.passkeys.length ?? 0) > 0 && knowsPasskeys()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (password) byPassword.run(password)
  }
  const type = (value: string) => {
    setPassword(value)
    byPassword.reset()
  }
  return (
    <Dialog title="Confirm that it is you" onClose={onClose}>
      <form className={form.form} onSubmit={submit}>
        {factors?.has_password !== false ? (
          <SecretField
            label="Your password"
            autoComplete="current-password"
            value={password}
            onChange={type}
            wrong={isWrong ? byPassword.error?.answer?.detail : undefined}
          />
        ) : (
          !hasPasskey && <p>Log out and sign in again. Then you have five minutes for this.</p>
        )}
        {failure && <ErrorNotice error={failure} />}
        {factors?.has_password !== false && (
          <Button type="submit" tone="primary" disabled={!password} busy={byPassword.busy}>
            Confirm
          </Button>
        )}
        {hasPasskey && (
          <Button busy={byPasskey.busy} onClick={() => byPasskey.run(undefined)}>
            <IconFingerprint size="1rem" aria-hidden="true" />
            Use a passkey
          </Button>
        )}
      </form>
    </Dialog>
  )
}
