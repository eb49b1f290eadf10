import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** Lines of "what: how it is" in a card. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl>{children}</dl>
}

/** One line. */
export function Fact({ label, tone, children }: { label: string; children: ReactNode; tone?: 'bad' }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd data-tone={tone}>{children}</dd>
    </div>
  )
}
