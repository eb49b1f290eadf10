import { useEffect } from 'react'
import { useSession } from '../../shell/session.ts'
import { IconCheck } from '../../ui/icons.ts'
import styles from './dashboard.module.css'

const shownFor = 4_000

/** Says for four seconds that the wizard has put the configuration in force. */
export function AppliedBanner() {
  const { go } = useSession()
  useEffect(() => {
    const timer = setTimeout(() => go('dashboard', { replace: true }), shownFor)
    return () => clearTimeout(timer)
  }, [go])
  return (
    <p role="status" className={styles.done}>
      <IconCheck size="1.125rem" aria-hidden="true" />
      Configuration applied successfully.
    </p>
  )
}
