import { Button } from '../../ui/control/button.tsx'
import { Note } from '../../ui/layout/note.tsx'
import { grouped } from '../../ui/words/grouped.ts'
import styles from './dashboard.module.css'
import { useWay } from './use-way.ts'

/** Says that more documents than usual will be deleted, while a person can still stop it. */
export function DeletionsNotice({ announced }: { announced: number }) {
  const review = useWay('tools/retention')
  if (announced === 0) return null
  return (
    <div className={styles.review}>
      <Note tone="warn">
        <div className={styles.waiting}>
          <p>
            {announced === 1 ? 'The documents of 1 fax' : `The documents of ${grouped(announced)} faxes`} will be
            deleted within a day, more than usual. You can pause that.
          </p>
          {review && <Button onClick={review}>Review</Button>}
        </div>
      </Note>
    </div>
  )
}
