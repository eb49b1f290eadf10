import type { Config } from '@faxdeck/contract'
import { type SubmitEvent, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { SecretField, TextField } from '../../ui/form/fields.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import styles from './login.module.css'
import { type SecondStep, signIn, tryKey } from './queries.ts'

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

const invalid = 'Invalid API key or insufficient permissions'
/** What fits into a header of a request (RFC 9110, 5.5); anything else came along when the key was copied. */
const canBeKey = (key: string) => /^[\x20-\x7e\xa0-\xff]+$/.test(key)

interface KeyFormProps {
  /** Why the person is here again; shown until a key is tried. */
  reason: string | undefined
  onLogIn: (key: string, config: Config) => void
  /** Somebody has begun to type: the form must stay under their hands. */
  onType: () => void
}

/** Asks for an API key and tries it. */
export function KeyForm({ reason, onLogIn, onType }: KeyFormProps) {
  // Nobody knows the key of the demo, which has only one.
  const [typed, setTyped] = useState(document.documentElement.dataset.demoKey ?? '')
  const key = typed.trim()
  const attempt = useAction(tryKey, { onDone: (config, accepted) => onLogIn(accepted, config) })
  const [strange, setStrange] = useState(false)
  const refused = attempt.error?.status === 401 || attempt.error?.status === 403
  const wrong = strange
    ? `${invalid}. The text contains characters that no key has. Copy the key again.`
    : refused
      ? invalid
      : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (key && !canBeKey(key)) setStrange(true)
    else if (key) attempt.run(key)
  }
  const type = (value: string) => {
    onType()
    setTyped(value)
    setStrange(false)
    attempt.reset()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      {reason && !attempt.error && !strange && (
        <p role="alert" className={styles.reason}>
          {reason}
        </p>
      )}
      <SecretField
        label="API Key"
        value={typed}
        onChange={type}
        autoFocus
        autoComplete="current-password"
        wrong={wrong}
        help="Use a key with the 'keys:manage' scope or the bootstrap API_KEY."
      />
      {attempt.error && !refused && <ErrorNotice error={attempt.error} />}
      <Button type="submit" tone="primary" disabled={!key} busy={attempt.busy}>
        Login
      </Button>
    </form>
  )
}
