import type { ReactNode } from 'react'
import { useWide } from '../../ui/use-wide.ts'
import { Fold } from './fold.tsx'
import { isOfUse, useForm } from './form.ts'
import { sectionId } from './reveal.ts'
import type { Section } from './sections.ts'
import { SettingRows } from './setting-rows.tsx'
import styles from './settings.module.css'

interface Props {
  section: Section
  /** What stands before the settings: a warning, a note. */
  before?: ReactNode
  /** What stands after them: what can be tried, what is to be copied. */
  children?: ReactNode
}

/**
 * One section of the settings: what it decides, its settings in their parts, and what can be done with them.
 * On a small screen it opens under its title, as those of the providers do everywhere: together they are long.
 */
export function SectionPanel({ section, before, children }: Props) {
  const wide = useWide()
  const { refusals } = useForm()
  const { key, title, purpose } = section
  const content = (
    <>
      {before}
      <SectionParts section={section} />
      {children}
    </>
  )
  if (!wide) {
    const isRefused = section.parts.some(({ rows }) => rows.some((row) => refusals[row.key] !== undefined))
    return (
      <Fold section={section} open={isRefused}>
        {purpose && <p className={styles.purpose}>{purpose}</p>}
        {content}
      </Fold>
    )
  }
  const titleId = `${sectionId(key)}-title`
  return (
    <section id={sectionId(key)} className={styles.panel} aria-labelledby={titleId}>
      <div>
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        {purpose && <p className={styles.purpose}>{purpose}</p>}
      </div>
      {content}
    </section>
  )
}

/** The settings of a section, each part under its own title. */
export function SectionParts({ section: { parts } }: { section: Section }) {
  const form = useForm()
  const shown = parts.filter(({ rows }) => rows.some((row) => isOfUse(form, row)))
  return shown.map(({ title, rows }) => (
    <div key={title ?? ''} className={styles.part}>
      {title && <h3>{title}</h3>}
      <SettingRows rows={rows} />
    </div>
  ))
}
