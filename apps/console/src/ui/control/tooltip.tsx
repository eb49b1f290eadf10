import type { ReactNode } from 'react'
import styles from './tooltip.module.css'

interface Props {
  text: string
  /** On which side of the middle the words stand; `end` near the right edge of the page. */
  align?: 'middle' | 'end'
  children: ReactNode
}

/**
 * Words beside a control while it is pointed at or focused. Only for what the control's own name already says
 * (an icon button's label): nothing may be found in a tooltip alone.
 */
export function Tooltip({ text, align = 'middle', children }: Props) {
  return (
    <span className={styles.anchor}>
      {children}
      <span className={styles.words} data-align={align} aria-hidden="true">
        {text}
      </span>
    </span>
  )
}
