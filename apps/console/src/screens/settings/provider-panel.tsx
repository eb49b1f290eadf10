import { IconChevronRight } from '../../ui/icons.ts'
import { Note } from '../../ui/note.tsx'
import { Chip } from '../../ui/status-chip.tsx'
import { useForm, valueOf, type Form } from './form.ts'
import { sectionId } from './reveal.ts'
import { SectionParts } from './section-panel.tsx'
import type { ProviderSection } from './sections.ts'
import styles from './settings.module.css'
import { Snippets } from './snippets.tsx'

/** What a provider does here: as it is now, and as it would be after saving. */
function dutiesOf(form: Form, id: string): { sends: boolean; receives: boolean } {
  const active = form.providers?.active
  const chosen = (key: string) => (valueOf(form, key) ?? valueOf(form, 'backend')) === id
  return {
    sends: active?.outbound === id || chosen('outbound_backend'),
    receives: active?.inbound === id || chosen('inbound_backend'),
  }
}

/** The account or line of one provider: unfolded while it sends or receives. */
export function ProviderPanel({ section }: { section: ProviderSection }) {
  const form = useForm()
  const { sends, receives } = dutiesOf(form, section.provider)
  const entry = form.providers?.registry[section.provider]
  const unsaved = section.parts.some(({ rows }) => rows.some(({ key }) => form.entries[key] !== undefined))
  return (
    <section id={sectionId(section.key)} aria-labelledby={`${sectionId(section.key)}-title`}>
      <details className={styles.fold} open={sends || receives}>
        <summary>
          <IconChevronRight size="1rem" aria-hidden="true" />
          <h2 id={`${sectionId(section.key)}-title`} tabIndex={-1}>
            {section.title}
          </h2>
          <span className={styles.chips}>
            {unsaved && <Chip tone="warn">Unsaved</Chip>}
            {sends && <Chip tone="info">Sends</Chip>}
            {receives && <Chip tone="info">Receives</Chip>}
            {entry && (
              <Chip tone={entry.configured ? 'ok' : 'plain'}>{entry.configured ? 'Set up' : 'Not set up'}</Chip>
            )}
          </span>
        </summary>
        <div className={styles.folded}>
          {entry?.missing && (sends || receives) && <Note tone="warn">{entry.missing}</Note>}
          <SectionParts section={section} />
          <Snippets snippets={entry?.snippets ?? []} />
        </div>
      </details>
    </section>
  )
}
