import type { Diagnostics } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { databaseQuery } from '../../../api/overview.ts'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { Chip } from '../../../ui/control/status-chip.tsx'
import { PlainCode } from '../../../ui/layout/code-block.tsx'
import { ErrorNotice, Note } from '../../../ui/layout/states.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import { grouped } from '../../../ui/words/figures.ts'
import { Snippets } from '../file/snippets.tsx'
import { type Form, isUnsaved, useForm, valueOf } from '../form.ts'
import {
  encryptionQuery,
  persistentDatabase,
  runDiagnostics,
  type Saved,
  settingsQuery,
  staleAfterSaving,
  switchToPersistent,
} from '../queries.ts'
import styles from '../settings.module.css'
import { TunnelSection } from '../tunnel/tunnel-section.tsx'
import { SectionPanel, SectionParts } from './section-panel.tsx'
import { databasePart, type Section } from './sections.ts'
import { FoldedSection } from '../titled-section.tsx'

interface Props {
  onSaved: (saved: Saved) => void
}

/** One section, in the form that is its own. */
export function SectionOf({ section, onSaved }: Props & { section: Section }) {
  if (section.provider !== undefined) return <ProviderPanel section={section} provider={section.provider} />
  if (section.key === 'tunnel') return <TunnelSection />
  if (section.key === 'storage') return <StoragePanel section={section} />
  if (section.key === 'single_sign_on') return <SignOnPanel section={section} />
  return <SectionPanel section={section} within={{ [databasePart]: <DatabaseTools onSaved={onSaved} /> }} />
}

/** Single sign-on, folded until it is set up. */
function SignOnPanel({ section }: { section: Section }) {
  const form = useForm()
  const isOn = Boolean(valueOf(form, 'oidc_issuer'))
  return (
    <FoldedSection
      name={section.key}
      title={section.title}
      purpose={section.purpose}
      open={isOn}
      unsaved={isUnsaved(form, section)}
      chips={<Chip tone={isOn ? 'ok' : 'plain'}>{isOn ? 'On' : 'Off'}</Chip>}
    >
      <SectionParts section={section} />
    </FoldedSection>
  )
}

/** S3 is offered in full only while something is to be kept: received faxes need storage. */
function StoragePanel({ section }: { section: Section }) {
  const form = useForm()
  const { data } = useQuery(settingsQuery)
  const isS3 = valueOf(form, 'storage_backend') === 's3'
  const needed = data?.inbound.needs_storage ?? true
  const shown = (rows: Form['rows']) => rows.filter((row) => needed || row.only_when === undefined)
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

/** How far the encryption of what was stored before is, while it goes on. */
function EncryptionProgress() {
  const { data } = useQuery(encryptionQuery)
  if (data?.state !== 'encrypting' && data?.state !== 'erasing') return null
  const { state, documents_done: done, documents_total: of, problem } = data
  const words =
    state === 'encrypting'
      ? `Stored documents are being encrypted: ${grouped(done)} of ${grouped(of)}.`
      : 'Stored documents are encrypted. Old words of their pages are being erased from the database.'
  return <Note tone={problem === null ? 'info' : 'warn'}>{problem === null ? words : `${words} ${problem}`}</Note>
}

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

/** The account or line of one provider: unfolded while it sends or receives. */
function ProviderPanel({ section, provider }: { section: Section; provider: string }) {
  const form = useForm()
  const { sends, receives } = dutiesOf(form, provider)
  const entry = form.providers?.registry[provider]
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
      open={sends || receives}
      unsaved={isUnsaved(form, section)}
      chips={chips}
    >
      {entry?.missing && (sends || receives) && <Note tone="warn">{entry.missing}</Note>}
      <SectionParts section={section} />
      <Snippets snippets={entry?.snippets ?? []} />
    </FoldedSection>
  )
}

interface Verdict {
  tone: 'ok' | 'warn'
  words: string
}

/** What a run of the diagnostics says of S3. */
function s3Verdict({ checks, findings }: Diagnostics): Verdict {
  const storage = checks.storage ?? {}
  if (storage.type !== undefined && storage.type !== 's3') {
    const present = `the gateway stores documents on ${storage.type === 'local' ? 'the local disk' : String(storage.type)}. Choose S3 and apply it first.`
    return { tone: 'warn', words: `S3 validation incomplete: ${present}` }
  }
  if (storage.accessible === undefined && storage.bucket_set === undefined) {
    const words = 'The diagnostics included no S3 checks. Set ENABLE_S3_DIAGNOSTICS=true on the server.'
    return { tone: 'warn', words }
  }
  if (storage.accessible === true) return { tone: 'ok', words: 'S3 validation passed' }
  const failed = findings.filter(({ group, passed }) => group === 'storage' && !passed)
  const why = failed.flatMap(({ sentence, detail }) => detail ?? sentence ?? []).join(' ')
  // A bucket that is set counts; that nothing can be stored in it yet is said with it.
  if (storage.bucket_set === true) {
    if (storage.accessible === undefined) return { tone: 'ok', words: 'S3 validation passed' }
    return { tone: 'warn', words: `S3 validation passed: the bucket is set. It can’t be used yet. ${why}`.trimEnd() }
  }
  return { tone: 'warn', words: `S3 validation incomplete${why && `: ${why}`}` }
}

/** Lets the gateway try its document storage. */
function StorageCheck({ unsaved }: { unsaved: boolean }) {
  const check = useAction(runDiagnostics)
  return (
    <div className={styles.tools}>
      <Button action={check}>Validate S3</Button>
      {unsaved && <p className="quiet">Unsaved changes are not tested. Apply them first.</p>}
      {check.error && <ErrorNotice error={check.error} what="S3 validation failed" />}
      <div role="status">
        {check.reply && <Note tone={s3Verdict(check.reply).tone}>{s3Verdict(check.reply).words}</Note>}
      </div>
    </div>
  )
}

/** The database as the gateway sees it, and the way to one that outlives a container. */
function DatabaseTools({ onSaved }: Props) {
  const [asked, setAsked] = useState(false)
  const [switching, setSwitching] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...databaseQuery, enabled: asked })
  const ask = () => (asked ? void refetch({ cancelRefetch: false }) : setAsked(true))
  return (
    <div className={styles.part}>
      <div className={styles.buttons}>
        <Button onClick={() => setSwitching(true)}>Use persistent</Button>
        <Button busy={isFetching} onClick={ask}>
          Check DB Status
        </Button>
      </div>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={ask} />}
      {data && !error && <PlainCode>{JSON.stringify(data, null, 2)}</PlainCode>}
      {switching && <SwitchDialog onSaved={onSaved} onClose={() => setSwitching(false)} />}
    </div>
  )
}

function SwitchDialog({ onSaved, onClose }: Props & { onClose: () => void }) {
  const change = useAction(switchToPersistent, {
    refreshes: staleAfterSaving,
    onDone: ({ _meta: meta }) => {
      onClose()
      onSaved(meta)
    },
  })
  return (
    <Confirm
      title="Use the persistent database?"
      verb="Use persistent"
      action={{ busy: change.busy }}
      onConfirm={() => change.run(undefined)}
      onClose={onClose}
    >
      <p>
        After the next start, Faxdeck stores its records in <code>{persistentDatabase}</code>. That folder must exist
        and be writable, so mount a volume at /faxdata. Faxes and keys in the current database are not copied.
      </p>
      {change.error && <ErrorNotice error={change.error} what="Failed to switch DB" />}
    </Confirm>
  )
}
