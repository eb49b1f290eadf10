import type { ComponentProps } from 'react'
import styles from './panel.module.css'

/** A surface with what belongs together, named by `aria-label` or by its title. */
export function Panel(props: Pick<ComponentProps<'section'>, 'id' | 'aria-label' | 'aria-labelledby' | 'children'>) {
  return <section {...props} className={styles.panel} />
}
