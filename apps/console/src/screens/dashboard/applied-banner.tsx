import { useEffect } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconCheck } from '../../ui/control/icons.ts'
import { Note } from '../../ui/layout/note.tsx'
import styles from './dashboard.module.css'
import { useWay } from './use-way.ts'

const shownFor = 4_000

/**
 * Says for four seconds that the wizard has put the configuration in force.
 * @param then what is open on the dashboard afterwards
 */
export function AppliedBanner({ then }: { then?: string }) {
  const { go } = useSession()
  useEffect(() => {
    const timer = setTimeout(() => go('dashboard', { replace: true, ...(then && { open: then }) }), shownFor)
    return () => clearTimeout(timer)
  }, [go, then])
  return (
    <p role="status" className={styles.done}>
      <IconCheck size="1.125rem" aria-hidden="true" />
      Configuration applied successfully.
    </p>
  )
}

/** Stays until the person goes on: the provider did not pass every check of the configuration in force. */
export function ReviewNotice() {
  const diagnose = useWay('tools/diagnostics')
  return (
    <div className={styles.review}>
      <Note tone="warn">
        <p>Some provider checks failed with the new settings. Faxes may not go out until this is fixed.</p>
        {diagnose && <Button onClick={diagnose}>Run Diagnostics</Button>}
      </Note>
    </div>
  )
}
