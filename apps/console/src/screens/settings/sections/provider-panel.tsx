import { Note } from '../../../ui/layout/note.tsx'
import { Chip } from '../../../ui/control/status-chip.tsx'
import { useWide } from '../../../ui/layout/use-wide.ts'
import { FoldedSection } from './folded-section.tsx'
import { isUnsaved, useForm, valueOf, type Form } from '../form.ts'
import { SectionParts } from './section-panel.tsx'
import type { ProviderSection } from './sections.ts'
import { Snippets } from '../file/snippets.tsx'

/** What a provider does here: as it is now, and as it would be after saving. */
function dutiesOf(form: Form, id: string): { sends: boolean; receives: boolean } {
  const active = form.providers?.active
  const chosen = (key: string) => (valueOf(form, key) ?? valueOf(form, 'backend')) === id
  // On the test line nobody else sends, whichever provider is selected.
  const isTesting = valueOf(form, 'fax_disabled') === true
  return {
    sends: active?.outbound === id || (!isTesting && chosen('outbound_backend')),
    receives: active?.inbound === id || chosen('inbound_backend'),
  }
}

/** The account or line of one provider: unfolded while it sends or receives, where there is room. */
export function ProviderPanel({ section }: { section: ProviderSection }) {
  const wide = useWide()
  const form = useForm()
  const { sends, receives } = dutiesOf(form, section.provider)
  const entry = form.providers?.registry[section.provider]
  const chips = (
    <>
      {sends && <Chip tone="info">Sends</Chip>}
      {receives && <Chip tone="info">Receives</Chip>}
      {entry && <Chip tone={entry.configured ? 'ok' : 'plain'}>{entry.configured ? 'Set up' : 'Not set up'}</Chip>}
    </>
  )
  return (
    <FoldedSection
      name={section.key}
      title={section.title}
      open={wide && (sends || receives)}
      unsaved={isUnsaved(form, section)}
      chips={chips}
    >
      {entry?.missing && (sends || receives) && <Note tone="warn">{entry.missing}</Note>}
      <SectionParts section={section} />
      <Snippets snippets={entry?.snippets ?? []} />
    </FoldedSection>
  )
}
