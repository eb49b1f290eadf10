import type { Config } from '@faxdeck/contract'
import { useEffect, useState, type SubmitEvent } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Mark } from '../../ui/mark.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import styles from './login.module.css'
import { tryKey } from './queries.ts'

interface Props {
  /** Why the person is here again, when a session has ended by itself. */
  reason: string | undefined
  onLogIn: (key: string, config: Config) => void
}

/** Asks for an API key and tries it. */
export function LoginScreen({ reason, onLogIn }: Props) {
  const [typed, setTyped] = useState('')
  const key = typed.trim()
  const attempt = useAction(tryKey, { onDone: (config, accepted) => onLogIn(accepted, config) })
  const refused = attempt.error && (attempt.error.status === 401 || attempt.error.status === 403)

  useEffect(() => {
    document.title = 'Log in · Faxdeck'
  }, [])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (key) attempt.run(key)
  }
  const type = (value: string) => {
    setTyped(value)
    attempt.reset()
  }
  return (
    <main className={styles.page}>
      <form className={styles.card} onSubmit={submit}>
        <div className={styles.head}>
          <Mark size="2.5rem" />
          <h1>Faxdeck</h1>
          <p>Administration console</p>
        </div>
        {reason && !attempt.error && (
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
          wrong={refused ? attempt.error?.failure : undefined}
          help="Use a key with the 'keys:manage' scope or the bootstrap API_KEY."
        />
        {attempt.error && !refused && <ErrorNotice error={attempt.error} />}
        <Button type="submit" tone="primary" disabled={!key} busy={attempt.busy}>
          Login
        </Button>
        <p className={styles.local}>Local access only (127.0.0.1)</p>
      </form>
    </main>
  )
}
