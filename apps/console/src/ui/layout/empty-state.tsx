import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface Props {
  icon: Icon
  /** What this is: "No faxes yet". */
  title: string
  /** Why it is empty. */
  why: string
  /** The one next step: a Button. */
  next?: ReactNode
}

/** Shown instead of an empty list: what this is, why it is empty, the one next step. */
export function EmptyState({ icon: Shape, title, why, next }: Props) {
  return (
    <div className={styles.empty}>
      <Shape size="2rem" stroke={1.5} aria-hidden="true" />
      <p className={styles.title}>{title}</p>
      <p className={styles.why}>{why}</p>
      {next}
    </div>
  )
}
