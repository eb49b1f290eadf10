import { useEffect, useEffectEvent } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { LoginCard } from './login-card.tsx'
import styles from './login.module.css'
import { finishSingleSignOn } from './queries.ts'

interface Props {
  /** The query with which the provider sent the browser back. */
  answer: string
  onSignedIn: () => void
  /** Goes to the usual login. */
  onLeave: () => void
}

/** Where people come back from the provider of single sign-on: signs them in, or says why not. */
export function SingleSignOnScreen({ answer, onSignedIn, onLeave }: Props) {
  const finish = useAction(finishSingleSignOn, { onDone: onSignedIn })
  // An answer counts once: it is handed over when the page is opened and not again.
  const run = useEffectEvent(() => finish.run(answer))
  useEffect(() => {
    document.title = 'Sign in · Faxdeck'
    run()
  }, [])
  const answered = finish.error?.answer
  // The gateway's own sentence says all; advice about keys would mislead.
  const refused = answered?.code === 'sign_in_refused' ? answered.detail : undefined
  return (
    <LoginCard>
      {finish.error ? (
        <>
          {refused ? (
            <p role="alert" className={styles.reason}>
              {refused}
            </p>
          ) : (
            <ErrorNotice error={finish.error} />
          )}
          <Button tone="primary" onClick={onLeave}>
            Go to login
          </Button>
        </>
      ) : (
        <p role="status">Signing you in…</p>
      )}
    </LoginCard>
  )
}
