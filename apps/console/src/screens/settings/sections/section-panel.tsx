import type { ReactNode } from 'react'
import { isOfUse, useForm } from '../form.ts'
import styles from '../settings.module.css'
import type { Section } from './sections.ts'
import { SettingRows } from './setting-rows.tsx'
import { TitledSection } from '../titled-section.tsx'

interface Props {
  section: Section
  /** What stands with one part, under its settings, by the part's title. */
  within?: Readonly<Record<string, ReactNode>>
  /** What stands after the settings: what can be tried, what is to be copied. */
  children?: ReactNode
}

/** One section of the settings: what it decides, its settings in their parts, and what can be done with them. */
export function SectionPanel({ section, within, children }: Props) {
  const { key, title, purpose } = section
  return (
    <TitledSection name={key} title={title} purpose={purpose}>
      <SectionParts section={section} within={within} />
      {children}
    </TitledSection>
  )
}

/** The settings of a section, each part under its own title. */
export function SectionParts({ section: { parts }, within = {} }: Pick<Props, 'section' | 'within'>) {
  const form = useForm()
  const shown = parts.filter(({ rows }) => rows.some((row) => isOfUse(form, row)))
  return shown.map(({ title, rows }) => (
    <div key={title ?? ''} className={styles.part}>
      {title && <h3>{title}</h3>}
      <SettingRows rows={rows} />
      {title && within[title]}
    </div>
  ))
}
