import type { ReactNode } from 'react'
import styles from './page-head.module.css'

interface Props {
  title: string
  /** One line: what the screen is for. */
  purpose: string
  /** Buttons, the most important one last. */
  actions?: ReactNode
}

/** The head of every screen: its title, one line saying what it is for, actions on the right. */
export function PageHead({ title, purpose, actions }: Props) {
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.purpose}>{purpose}</p>
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
