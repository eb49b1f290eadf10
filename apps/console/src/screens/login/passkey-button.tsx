import { knowsPasskeys } from '../../api/passkeys.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconFingerprint } from '../../ui/control/icons.ts'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { signInWithPasskey } from './queries.ts'

interface Props {
  label: string
  /** Of half a sign-in; absent where the passkey is all there is. */
  token?: string
  onSignedIn: () => void
}

/** Signs in with a passkey, where the browser knows them. */
export function PasskeyButton({ label, token, onSignedIn }: Props) {
  const attempt = useAction(signInWithPasskey, { onDone: onSignedIn })
  if (!knowsPasskeys()) return null
  return (
    <>
      <Button icon={IconFingerprint} busy={attempt.busy} onClick={() => attempt.run(token)}>
        {label}
      </Button>
      {attempt.error && <ErrorNotice error={attempt.error} />}
    </>
  )
}
