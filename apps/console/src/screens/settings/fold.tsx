import type { ReactNode } from 'react'
import { IconChevronRight } from '../../ui/icons.ts'
import { Chip } from '../../ui/status-chip.tsx'
import { isUnsaved, useForm } from './form.ts'
import { sectionId } from './reveal.ts'
import type { Section } from './sections.ts'
import styles from './settings.module.css'

interface Props {
  section: Section
  open: boolean
  /** Beside the title: how it stands. */
  chips?: ReactNode
  children: ReactNode
}

/** A section that opens under its title. Closed, it still says that something in it is unsaved. */
export function Fold({ section, open, chips, children }: Props) {
  const unsaved = isUnsaved(useForm(), section)
  const titleId = `${sectionId(section.key)}-title`
  return (
    <section id={sectionId(section.key)} aria-labelledby={titleId}>
      <details className={styles.fold} open={open}>
        <summary>
          <IconChevronRight size="1rem" aria-hidden="true" />
          <h2 id={titleId} tabIndex={-1}>
            {section.title}
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
