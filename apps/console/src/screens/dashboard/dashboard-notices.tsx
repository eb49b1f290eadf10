import { type ReactNode, useEffect } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconCheck } from '../../ui/control/icons.ts'
import { Note } from '../../ui/layout/states.tsx'
import { countFaxes, grouped } from '../../ui/words/figures.ts'
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

/** Says that assistants wait for a person, and leads there. */
export function ApprovalsNotice({ waiting }: { waiting: number }) {
  if (waiting === 0) return null
  const lead =
    waiting === 1
      ? '1 fax from an assistant is waiting for your approval.'
      : `${grouped(waiting)} faxes from assistants are waiting for your approval.`
  return <ToReview place="settings/mcp">{lead} Nothing is sent until you approve.</ToReview>
}

/** Says that more documents than usual will be deleted, while a person can still stop it. */
export function DeletionsNotice({ announced }: { announced: number }) {
  if (announced === 0) return null
  return (
    <ToReview place="tools/retention">
      The documents of {countFaxes(announced)} will be deleted within a day, more than usual. You can pause that.
    </ToReview>
  )
}

function ToReview({ place, children }: { place: string; children: ReactNode }) {
  const review = useWay(place)
  return (
    <div className={styles.review}>
      <Note tone="warn">
        <div className={styles.waiting}>
          <p>{children}</p>
          {review && <Button onClick={review}>Review</Button>}
        </div>
      </Note>
    </div>
  )
}
