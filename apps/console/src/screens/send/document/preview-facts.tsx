import type { Tones, Unreadable } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { providersQuery } from '../../../api/providers.ts'
import { useSession } from '../../../session/session.ts'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { sizeInWords } from './document-kind.ts'
import { LostWriting } from '../lost-writing.tsx'
import styles from './preview-pane.module.css'
import { quoteQuery, type FaxPreview } from '../queries.ts'

const minutesInWords = (minutes: number) => (minutes === 1 ? '1 minute' : `${minutes} minutes`)
const pagesInWords = (pages: number) => (pages === 1 ? '1 page' : `${pages} pages`)

interface Props {
  preview: FaxPreview
  tones: Tones
  recipients: number
  unreadable: Unreadable
  onChoose: (unreadable: Unreadable) => void
}

/**
 * What the document takes on the line: guessed from its pages at once, and told by the bits of its pages as soon as
 * these are counted.
 */
export function PreviewFacts({ preview, tones, recipients, unreadable, onChoose }: Props) {
  const { id, pages, estimated_seconds: guessed } = preview
  const { data: quote, error, isFetching, refetch } = useQuery(quoteQuery(id, tones))
  const bytes = quote?.bytes_per_page.reduce((sum, page) => sum + page, 0)
  const drawer = useDrawingProvider()
  const notes = quote?.page_notes ?? []
  const minutes = quote?.minutes ?? Math.max(1, Math.ceil(guessed / 60))
  return (
    <>
      <p className={styles.quiet} role="status">
        <strong>{pagesInWords(pages)}</strong>
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
      {name} converts the document itself. The preview{hasNotes && ' and its notes'} show Faxdeck’s rendering, so pages
      may look different on arrival.
      {hasNotes && ' These notes don’t stop the fax.'}
    </p>
  )
}
