import { Button } from '../../ui/control/button.tsx'
import { Note } from '../../ui/layout/note.tsx'
import { grouped } from '../../ui/words/grouped.ts'
import styles from './dashboard.module.css'
import { useWay } from './use-way.ts'

/** Says that assistants wait for a person, and leads there. */
export function ApprovalsNotice({ waiting }: { waiting: number }) {
  const review = useWay('settings/mcp')
  if (waiting === 0) return null
  return (
    <div className={styles.review}>
      <Note tone="warn">
        <div className={styles.waiting}>
          <p>
            {waiting === 1
              ? '1 fax from an assistant is waiting for your approval.'
              : `${grouped(waiting)} faxes from assistants are waiting for your approval.`}{' '}
            Nothing is sent until you approve.
          </p>
          {review && <Button onClick={review}>Review</Button>}
        </div>
      </Note>
    </div>
  )
}
