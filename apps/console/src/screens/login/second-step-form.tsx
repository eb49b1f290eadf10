import { type SubmitEvent, useState } from 'react'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import styles from './login.module.css'
import { PasskeyButton } from './passkey-button.tsx'
import { type SecondStep, signInWithCode } from './queries.ts'

interface Props {
  step: SecondStep
  onSignedIn: () => void
  /** Goes back to email and password. */
  onRestart: () => void
}

/** After the password: a code, a passkey, or a recovery code. */
export function SecondStepForm({ step, onSignedIn, onRestart }: Props) {
  const [recovers, setRecovers] = useState(false)
  const typesCode = step.totp || recovers
  return (
    <>
      <h2 className={styles.stepTitle}>{recovers ? 'Enter a recovery code' : 'Confirm it’s you'}</h2>
      {step.passkey && !recovers && <PasskeyButton label="Use a passkey" token={step.token} onSignedIn={onSignedIn} />}
      {step.passkey && !step.totp && !recovers && !knowsPasskeys() && (
        <p className={styles.reason}>
          Your passkeys don’t work at this address. Open the console by its host name over HTTPS, or use a recovery
          code.
        </p>
      )}
      {typesCode && <CodeForm key={String(recovers)} token={step.token} recovers={recovers} onSignedIn={onSignedIn} />}
      {step.recovery_code && (
        <Button tone="quiet" onClick={() => setRecovers(!recovers)}>
          {recovers ? 'Back' : 'Use a recovery code'}
        </Button>
      )}
      <Button tone="quiet" onClick={onRestart}>
        Start over
      </Button>
    </>
  )
}

function CodeForm({ token, recovers, onSignedIn }: { token: string; recovers: boolean; onSignedIn: () => void }) {
  const [code, setCode] = useState('')
  const attempt = useAction(signInWithCode, { onDone: onSignedIn })
  const isWrong = attempt.error?.answer?.code === 'second_step_refused'
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (code.trim()) attempt.run({ token, code: code.trim() })
  }
  const type = (value: string) => {
    setCode(value)
    attempt.reset()
  }
  const how = recovers
    ? ({ label: 'Recovery code', help: 'One of the ten codes you saved. Each works once.', maxLength: 30 } as const)
    : ({
        label: 'Code',
        help: 'The six-digit code from your authenticator app.',
        inputMode: 'numeric',
        autoComplete: 'one-time-code',
        maxLength: 7,
      } as const)
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        {...how}
        help={isWrong ? undefined : how.help}
        autoFocus
        value={code}
        onChange={type}
        wrong={isWrong ? attempt.error?.answer?.detail : undefined}
      />
      {attempt.error && !isWrong && <ErrorNotice error={attempt.error} />}
      <Button type="submit" tone="primary" disabled={!code.trim()} busy={attempt.busy}>
        Sign in
      </Button>
    </form>
  )
}
