import type { ReactNode } from 'react'
import { IconChevronRight } from '../../ui/icons.ts'
import { Chip } from '../../ui/status-chip.tsx'
import { sectionId } from './reveal.ts'
import styles from './settings.module.css'

interface Props {
  /** What `open` of a visit names. */
  name: string
  title: string
  open?: boolean
  unsaved?: boolean
  /** Beside the title: how it stands. */
  chips?: ReactNode
  children: ReactNode
}

/** A section that opens under its title. Closed, it still says that something in it is unsaved. */
export function Fold({ name, title, open = false, unsaved = false, chips, children }: Props) {
  const titleId = `${sectionId(name)}-title`
  return (
    <section id={sectionId(name)} aria-labelledby={titleId}>
      <details className={styles.fold} open={open}>
        <summary>
          <IconChevronRight size="1rem" aria-hidden="true" />
          <h2 id={titleId} tabIndex={-1}>
            {title}
          </h2>
          <span className={styles.chips}>
            {unsaved && <Chip tone="warn">Unsaved</Chip>}
            {chips}
          </span>
        </summary>
        <div className={styles.folded}>{children}</div>
      </details>
    </section>
  )
}
