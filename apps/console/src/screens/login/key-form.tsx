import type { Config } from '@faxdeck/contract'
import { useState, type SubmitEvent } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { SecretField } from '../../ui/form/secret-field.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import styles from './login.module.css'
import { tryKey } from './queries.ts'

const invalid = 'Invalid API key or insufficient permissions'
/** What fits into a header of a request (RFC 9110, 5.5); anything else came along when the key was copied. */
const canBeKey = (key: string) => /^[\x20-\x7e\xa0-\xff]+$/.test(key)

interface Props {
  /** Why the person is here again; shown until a key is tried. */
  reason: string | undefined
  onLogIn: (key: string, config: Config) => void
  /** Somebody has begun to type: the form must stay under their hands. */
  onType: () => void
}

/** Asks for an API key and tries it. */
export function KeyForm({ reason, onLogIn, onType }: Props) {
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
