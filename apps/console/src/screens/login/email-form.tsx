import { useState, type SubmitEvent } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { SecretField } from '../../ui/form/secret-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import styles from './login.module.css'
import { type SecondStep, signIn } from './queries.ts'

interface Props {
  onSignedIn: () => void
  /** The password was right, and more is asked for. */
  onAsked: (step: SecondStep) => void
}

/** Signs a person in with email and password. */
export function EmailForm({ onSignedIn, onAsked }: Props) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const attempt = useAction(signIn, { onDone: (asked) => (asked ? onAsked(asked) : onSignedIn()) })
  const isWrong = attempt.error?.answer?.code === 'sign_in_refused'
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (email.trim() && password) attempt.run({ email, password })
  }
  const type = (set: (value: string) => void) => (value: string) => {
    set(value)
    attempt.reset()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField label="Email" type="email" autoComplete="username" autoFocus value={email} onChange={type(setEmail)} />
      <SecretField
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={type(setPassword)}
        wrong={isWrong ? attempt.error?.answer?.detail : undefined}
      />
      {attempt.error && !isWrong && <ErrorNotice error={attempt.error} />}
      <Button type="submit" tone="primary" disabled={!email.trim() || !password} busy={attempt.busy}>
        Sign in
      </Button>
    </form>
  )
}
