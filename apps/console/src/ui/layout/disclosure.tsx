import type { ReactNode } from 'react'
import styles from './disclosure.module.css'
import { IconChevronRight } from '../control/icons.ts'

interface Props {
  /** What stands beside the arrow. */
  summary: ReactNode
  open: boolean
  onToggle?: (open: boolean) => void
  /** On a panel already, so without a surface of its own. */
  inset?: boolean
  /** What is inside reaches the edges. */
  flush?: boolean
  /** Absent when it is not drawn yet. */
  children?: ReactNode
}

/** What opens under its summary. */
export function Disclosure({ summary, open, onToggle, inset, flush, children }: Props) {
  return (
    <details
      className={styles.disclosure}
      data-inset={inset}
      open={open}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
    >
      <summary>
        <IconChevronRight size="1rem" aria-hidden="true" />
        {summary}
      </summary>
      {children && (
        <div className={styles.body} data-flush={flush}>
          {children}
        </div>
      )}
    </details>
  )
}
