import type { ReactNode } from 'react'
import { IconChevronRight } from '../../ui/control/icons.ts'
import { useKept } from '../../ui/use-kept.ts'
import styles from './plugins.module.css'

interface Props {
  /** Unique: it stays as a person left it. */
  name: string
  title: string
  /** One line: what it is for. */
  purpose: string
  children: ReactNode
}

/** A section that is closed until a person wants it. */
export function Fold({ name, title, purpose, children }: Props) {
  const [open, setOpen] = useKept(`plugins.${name}`, false)
  return (
    <details className={styles.fold} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <IconChevronRight size="1rem" aria-hidden="true" />
        <h2>{title}</h2>
        <span className={styles.quiet}>{purpose}</span>
      </summary>
      <div className={styles.foldBody}>{children}</div>
    </details>
  )
}
