import type { Tones, Unreadable } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { providersQuery } from '../../../api/overview.ts'
import { useSession } from '../../../session/session.ts'
import { PageStrip } from '../../../ui/fax/page-strip.tsx'
import { ErrorNotice, Skeleton } from '../../../ui/layout/states.tsx'
import { countPages } from '../../../ui/words/figures.ts'
import { type Draft, isSplit, tonesOf } from '../draft.ts'
import { LostWriting } from '../lost-writing.tsx'
import { type FaxPreview, loadPreviewPage, quoteQuery, usePreview } from '../queries.ts'
import { sizeInWords } from './document-kind.ts'
import styles from './preview-pane.module.css'

interface Props {
  draft: Draft
  recipients: number
  /** What is to become of a fax that loses writing. */
  onChoose: (unreadable: Unreadable) => void
}

/** The pages of the draft as they will be faxed, how many there are and how long they take. */
export function PreviewPane({ draft, recipients, onChoose }: Props) {
  const { data, error, isFetching, isEnabled, refetch, documentFault, coverFault } = usePreview(draft)
  const splits = isSplit(draft)
  const id = data?.id
  const tones = tonesOf(draft)
  const { group } = draft
  const load = useMemo(() => (id ? loadPreviewPage(id, tones, group) : undefined), [id, tones, group])
  return (
    <section className={styles.pane} aria-label="Preview">
      <h2>{splits ? 'The scan, with its separator sheets' : 'As it will be faxed'}</h2>
      {!isEnabled ? (
        <p className={styles.quiet}>
          Preview the pages here before you send them, in black and white as they will arrive.
        </p>
      ) : (documentFault ?? coverFault) ? (
        <p className={styles.quiet}>
          Nothing to show. The {documentFault ? 'document' : 'cover page'} can’t be faxed as it is.
        </p>
      ) : error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} busy={isFetching} />
      ) : data && load ? (
        <>
          {!splits && (
            <PreviewFacts
              preview={data}
              tones={tones}
              recipients={recipients}
              unreadable={draft.unreadable}
              onChoose={onChoose}
            />
          )}
          <PageStrip pages={data.pages} load={load} />
        </>
      ) : (
        <Skeleton lines={2} height={3} />
      )}
    </section>
  )
}

const minutesInWords = (minutes: number) => (minutes === 1 ? '1 minute' : `${minutes} minutes`)

interface PreviewFactsProps {
  preview: FaxPreview
  tones: Tones
  recipients: number
  unreadable: Unreadable
  onChoose: (unreadable: Unreadable) => void
}

/**
 * What the document takes on the line: guessed from its pages at once, and counted from the bits of its pages as soon as
 * these are counted.
 */
function PreviewFacts({ preview, tones, recipients, unreadable, onChoose }: PreviewFactsProps) {
  const { id, pages, estimated_seconds: guessed } = preview
  const { data: quote, error, isFetching, refetch } = useQuery(quoteQuery(id, tones))
  const bytes = quote?.bytes_per_page.reduce((sum, page) => sum + page, 0)
  const drawer = useDrawingProvider()
  const notes = quote?.page_notes ?? []
  const minutes = quote?.minutes ?? Math.max(1, Math.ceil(guessed / 60))
  return (
    <>
      <p className={styles.quiet} role="status">
        <strong>{countPages(pages)}</strong>
        {bytes !== undefined && ` · ${sizeInWords(bytes)} to transmit`}
        {` · about ${minutesInWords(minutes)}${recipients > 1 ? ' for each recipient' : ''}`}
        {error && ', estimated from the pages'}
      </p>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      <LostWriting notes={notes} chosen={unreadable} isDrawnHere={drawer === undefined} onChoose={onChoose} />
      {drawer !== undefined && <DrawnElsewhere name={drawer} hasNotes={notes.length > 0} />}
    </>
  )
}

/** The name of a provider that is given the document and draws its pages itself. */
function useDrawingProvider(): string | undefined {
  const { config } = useSession()
  const { data: providers } = useQuery(providersQuery)
  const entry = providers?.registry[config.hybrid.outbound]
  return !entry || entry.traits.requires_pages || entry.kind === 'builtin' ? undefined : entry.name
}

function DrawnElsewhere({ name, hasNotes }: { name: string; hasNotes: boolean }) {
  return (
    <p className={styles.quiet}>
      {name} converts the document itself. The preview{hasNotes ? ' and its notes show' : ' shows'} Faxdeck’s rendering,
      so pages may look different on arrival.
      {hasNotes && ' These notes don’t stop the fax.'}
    </p>
  )
}
