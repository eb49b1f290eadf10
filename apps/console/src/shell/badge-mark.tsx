import styles from './badge-mark.module.css'
import type { Badge } from './navigation.ts'

/** A count beside a place's name; nothing when there is nothing to count. */
export function BadgeMark({ badge }: { badge: Badge }) {
  if (badge.count === 0) return null
  return (
    <span className={styles.badge} data-tone={badge.tone}>
      {badge.count > 99 ? '99+' : badge.count}
      <span className="unseen"> {badge.meaning}</span>
    </span>
  )
}
