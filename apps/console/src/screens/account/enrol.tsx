import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconFingerprint } from '../../ui/control/icons.ts'
import { Mark } from '../../ui/layout/mark.tsx'
import styles from './account.module.css'
import { CodesDialog, PasskeyDialog, TotpDialog } from './factor-dialogs.tsx'

/** What somebody sees who has to set up a second factor before anything else. */
export function EnrolScreen({ onLogOut }: { onLogOut: () => void }) {
  const queries = useQueryClient()
  const [doing, setDoing] = useState<'totp' | 'passkey'>()
  const [codes, setCodes] = useState<string[]>()
  useEffect(() => {
    document.title = 'Second factor · Faxdeck'
  }, [])
  const goOn = () => void queries.invalidateQueries()
  const added = (made: string[] | null) => {
    setDoing(undefined)
    if (made) setCodes(made)
    else goOn()
  }
  const close = () => setDoing(undefined)
  return (
    <main className={styles.enrol}>
      <div className={styles.sheet}>
        <Mark size="2.5rem" />
        <h1>One more step</h1>
        <p>Your administrator requires a second factor, so a stolen password alone can’t open your account.</p>
        {knowsPasskeys() && (
          <Button icon={IconFingerprint} tone="primary" onClick={() => setDoing('passkey')}>
            Add a passkey
          </Button>
        )}
        <Button tone={knowsPasskeys() ? 'plain' : 'primary'} onClick={() => setDoing('totp')}>
          Set up an authenticator app
        </Button>
        <Button tone="quiet" onClick={onLogOut}>
          Log out
        </Button>
      </div>
      {doing === 'totp' && <TotpDialog onDone={added} onClose={close} refreshes={[]} />}
      {doing === 'passkey' && <PasskeyDialog onDone={added} onClose={close} refreshes={[]} />}
      {codes && <CodesDialog codes={codes} onDone={goOn} />}
    </main>
  )
}
