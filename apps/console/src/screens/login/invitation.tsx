import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { SecretField } from '../../ui/form/fields.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { LoginCard } from './login-card.tsx'
import styles from './login.module.css'
import { acceptInvitation, invitationQuery, type SecondStep } from './queries.ts'
import { SecondStepForm } from './second-step-form.tsx'

interface Props {
  token: string
  onSignedIn: () => void
  /** Goes to the usual login. */
  onLeave: () => void
}

/** What an invitation link opens: its person chooses a password, and is signed in. */
export function InvitationScreen({ token, onSignedIn, onLeave }: Props) {
  const { data: invited, error, refetch } = useQuery(invitationQuery(token))
  const [step, setStep] = useState<SecondStep>()
  useEffect(() => {
    document.title = 'Choose a password · Faxdeck'
  }, [])
  if (step) {
    return (
      <LoginCard>
        <SecondStepForm step={step} onSignedIn={onSignedIn} onRestart={onLeave} />
      </LoginCard>
    )
  }
  return (
    <LoginCard>
      {!invited && !error && <Skeleton lines={3} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {invited && <PasswordForm {...invited} token={token} onSignedIn={onSignedIn} onAsked={setStep} />}
      <Button tone="quiet" onClick={onLeave}>
        Go to login
      </Button>
    </LoginCard>
  )
}

interface FormProps {
  name: string
  email: string
  token: string
  onSignedIn: () => void
  onAsked: (step: SecondStep) => void
}

function PasswordForm({ name, email, token, onSignedIn, onAsked }: FormProps) {
  const [password, setPassword] = useState('')
  const accept = useAction(acceptInvitation, { onDone: (asked) => (asked ? onAsked(asked) : onSignedIn()) })
  const fault = accept.error?.answer?.fields?.[0]?.message
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (password) accept.run({ token, password })
  }
  const type = (value: string) => {
    setPassword(value)
    accept.reset()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>
        Welcome, {name}. Choose a password for <strong>{email}</strong>.
      </p>
      {/* Password managers keep the password under this name. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <SecretField
        label="New password"
        autoComplete="new-password"
        autoFocus
        value={password}
        onChange={type}
        wrong={fault}
        help={
          fault === undefined ? 'At least 12 characters. A phrase of several words is easy to remember.' : undefined
        }
      />
      {accept.error && fault === undefined && <ErrorNotice error={accept.error} />}
      <Button type="submit" tone="primary" disabled={!password} busy={accept.busy}>
        Save password and sign in
      </Button>
    </form>
  )
}
