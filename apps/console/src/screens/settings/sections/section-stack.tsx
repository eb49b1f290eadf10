import { useQuery } from '@tanstack/react-query'
import { DatabaseTools } from './database-tools.tsx'
import { EncryptionProgress } from './encryption-progress.tsx'
import { isUnsaved, useForm, valueOf } from '../form.ts'
import { ProviderPanel } from './provider-panel.tsx'
import { settingsQuery, type Saved } from '../queries.ts'
import { SectionPanel } from './section-panel.tsx'
import { databasePart, providerSections, sectionsOf } from './sections.ts'
import { StorageCheck } from './storage-check.tsx'
import { TunnelSection } from '../tunnel/tunnel-section.tsx'

interface Props {
  onSaved: (saved: Saved) => void
}

/** Every section, in order. */
export function SectionStack({ onSaved }: Props) {
  const { rows, providers } = useForm()
  const { backend, security, features, inbound, storage, advanced } = sectionsOf(rows, providers)
  return (
    <>
      <SectionPanel section={backend} />
      <SectionPanel section={security} />
      <TunnelSection />
      {providerSections(rows, providers).map((section) => (
        <ProviderPanel key={section.key} section={section} />
      ))}
      <SectionPanel section={features} />
      <SectionPanel section={inbound} />
      <StoragePanel section={storage} />
      <SectionPanel section={advanced} within={{ [databasePart]: <DatabaseTools onSaved={onSaved} /> }} />
    </>
  )
}

/** S3 is offered in full only while something is to be kept: received faxes need storage. */
function StoragePanel({ section }: { section: ReturnType<typeof sectionsOf>['storage'] }) {
  const form = useForm()
  const { data } = useQuery(settingsQuery)
  const isS3 = valueOf(form, 'storage_backend') === 's3'
  const needed = data?.inbound.needs_storage ?? true
  const shown = (rows: typeof form.rows) => rows.filter((row) => needed || row.only_when === undefined)
  const parts = section.parts.map((part) => ({ ...part, rows: shown(part.rows) }))
  return (
    <SectionPanel section={{ ...section, parts }}>
      <EncryptionProgress />
      {isS3 && needed && <StorageCheck unsaved={isUnsaved(form, section)} />}
      {isS3 && !needed && (
        <p className="quiet">With this inbound provider, Faxdeck stores no documents, so S3 is not needed.</p>
      )}
    </SectionPanel>
  )
}
