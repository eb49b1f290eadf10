import type { Factors } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { confirmByPasskey, confirmByPassword, factorsQuery, startSingleSignOn } from '../../api/account.ts'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconFingerprint } from '../../ui/control/icons.ts'
import form from '../../ui/form/fields.module.css'
import { SecretField, TextField } from '../../ui/form/fields.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'

/** Asks who somebody is, by whatever they have: password, password and code, or a passkey. */
export function ConfirmDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { data: factors, error, isFetching, refetch } = useQuery(factorsQuery)
  return (
    <Dialog title="Confirm it’s you" onClose={onClose}>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!factors && !error && <Skeleton lines={3} height={2.5} />}
      {factors && <Ways factors={factors} onDone={onDone} />}
    </Dialog>
  )
}

function Ways({ factors, onDone }: { factors: Factors; onDone: () => void }) {
  const byPasskey = useAction(confirmByPasskey, { onDone })
  const hasPasskey = knowsPasskeys() && factors.passkeys.some(({ host }) => host === location.hostname)
  const [types, setTypes] = useState(!hasPasskey || factors.totp !== null)
  return (
    <div className={form.form}>
      <p>To continue, confirm your identity. You won’t be asked again for ten minutes.</p>
      {hasPasskey && (
        <Button
          icon={IconFingerprint}
          tone={types ? 'plain' : 'primary'}
          busy={byPasskey.busy}
          onClick={() => byPasskey.run(undefined)}
        >
          Use a passkey
        </Button>
      )}
      {byPasskey.error && <ErrorNotice error={byPasskey.error} />}
      {!factors.has_password && <AtProvider />}
      {factors.has_password && types && <PasswordForm factors={factors} onDone={onDone} />}
      {factors.has_password && !types && (
        <Button tone="quiet" onClick={() => setTypes(true)}>
          Use password and recovery code
        </Button>
      )}
    </div>
  )
}

/** For people without a password here: signing in at their provider once more. */
function AtProvider() {
  const start = useAction(startSingleSignOn)
  return (
    <>
      <p>
        You sign in through your organization’s sign-in provider. Sign in there again, then come back and repeat this
        action.
      </p>
      {start.error && <ErrorNotice error={start.error} />}
      <Button busy={start.busy} onClick={() => start.run(true)}>
        Sign in again
      </Button>
    </>
  )
}

/** The password, and a code where there is a second factor. */
function PasswordForm({ factors: { totp, passkeys }, onDone }: { factors: Factors; onDone: () => void }) {
  const [typed, setTyped] = useState({ password: '', code: '' })
  const needsCode = totp !== null || passkeys.length > 0
  const confirm = useAction(confirmByPassword, { onDone })
  const refusal = confirm.error?.answer
  const wrongPassword = refusal?.code === 'sign_in_refused' ? refusal.detail : undefined
  const wrongCode = refusal?.code === 'second_step_refused' ? refusal.detail : undefined
  const isFilled = typed.password !== '' && (!needsCode || typed.code.trim() !== '')
  const type = (change: Partial<typeof typed>) => {
    setTyped({ ...typed, ...change })
    confirm.reset()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const { password, code } = typed
    if (isFilled) confirm.run(needsCode ? { password, code: code.trim() } : { password })
  }
  return (
    <form className={form.form} onSubmit={submit}>
      <SecretField
        label="Your password"
        autoFocus
        autoComplete="current-password"
        value={typed.password}
        onChange={(password) => type({ password })}
        wrong={wrongPassword}
      />
      {needsCode && (
        <TextField
          label={totp === null ? 'Recovery code' : 'Code'}
          help={totp === null ? 'One of the ten codes you saved.' : 'From your authenticator app, or a recovery code.'}
          autoComplete="one-time-code"
          maxLength={30}
          value={typed.code}
          onChange={(code) => type({ code })}
          wrong={wrongCode}
        />
      )}
      {confirm.error && wrongPassword === undefined && wrongCode === undefined && <ErrorNotice error={confirm.error} />}
      <Button type="submit" tone="primary" disabled={!isFilled} busy={confirm.busy}>
        Confirm
      </Button>
    </form>
  )
}
