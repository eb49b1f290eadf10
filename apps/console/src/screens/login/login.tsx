import type { Config } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { startSingleSignOn } from '../../api/account.ts'
import { hasSignedInBefore } from '../../api/signed-in.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { LoginCard } from './login-card.tsx'
import { EmailForm, KeyForm } from './login-forms.tsx'
import styles from './login.module.css'
import { PasskeyButton } from './passkey-button.tsx'
import { type SecondStep, waysInQuery } from './queries.ts'
import { SecondStepForm } from './second-step-form.tsx'

interface Props {
  /** Why the person is here again, when a session has ended by itself. */
  reason: string | undefined
  onLogIn: (key: string, config: Config) => void
  /** A person has a session now. */
  onSignedIn: () => void
}

/** Asks for an API key, or for email and password where people have accounts. */
export function LoginScreen({ reason, onLogIn, onSignedIn }: Props) {
  const { data: waysIn } = useQuery(waysInQuery)
  const singleSignOn = waysIn?.single_sign_on && <SingleSignOnButton {...waysIn.single_sign_on} />
  const hasPeople = waysIn?.people ?? hasSignedInBefore()
  const [wantsKey, setWantsKey] = useState(false)
  const [step, setStep] = useState<SecondStep>()
  useEffect(() => {
    document.title = 'Log in · Faxdeck'
  }, [])
  if (step) {
    return (
      <LoginCard>
        <SecondStepForm step={step} onSignedIn={onSignedIn} onRestart={() => setStep(undefined)} />
      </LoginCard>
    )
  }
  const showsKey = wantsKey || !hasPeople
  return (
    <LoginCard>
      {reason && !showsKey && (
        <p role="alert" className={styles.reason}>
          {reason}
        </p>
      )}
      {(!wantsKey || !hasPeople) && singleSignOn}
      {showsKey ? (
        <KeyForm reason={reason} onLogIn={onLogIn} onType={() => setWantsKey(true)} />
      ) : (
        <>
          <EmailForm onSignedIn={onSignedIn} onAsked={setStep} />
          <PasskeyButton label="Sign in with a passkey" onSignedIn={onSignedIn} />
        </>
      )}
      {hasPeople && (
        <Button tone="quiet" onClick={() => setWantsKey(!wantsKey)}>
          {wantsKey ? 'Sign in with email' : 'Use an API key'}
        </Button>
      )}
    </LoginCard>
  )
}

/** Leads to the provider of single sign-on, which sends the browser back to the console. */
function SingleSignOnButton({ label }: { label: string }) {
  const start = useAction(startSingleSignOn)
  return (
    <>
      <Button tone="primary" busy={start.busy} onClick={() => start.run(false)}>
        Sign in with {label}
      </Button>
      {start.error && <ErrorNotice error={start.error} />}
    </>
  )
}
