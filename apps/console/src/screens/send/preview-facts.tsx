import type { Tones, Unreadable } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { providersQuery } from '../../api/providers.ts'
import { useSession } from '../../shell/session.ts'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { sizeInWords } from './document-kind.ts'
import { LostWriting } from './lost-writing.tsx'
import styles from './preview-pane.module.css'
import { quoteQuery, type FaxPreview } from './queries.ts'

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
  const minutes = quote?.minutes ?? Math.max(1, Math.ceil(guessed / 60))
  return (
    <>
      <p className={styles.quiet} role="status">
        <strong>{pagesInWords(pages)}</strong>
        {bytes !== undefined && ` · ${sizeInWords(bytes)} on the line`}
        {` · about ${minutesInWords(minutes)}${recipients > 1 ? ' for each recipient' : ''}`}
        {error && ', guessed from the pages'}
      </p>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      <LostWriting notes={quote?.page_notes ?? []} chosen={unreadable} onChoose={onChoose} />
      <OwnBlackAndWhite />
    </>
  )
}

/** A provider that is handed the document makes it black and white by its own rules. */
function OwnBlackAndWhite() {
  const { config } = useSession()
  const { data: providers } = useQuery(providersQuery)
  const entry = providers?.registry[config.hybrid.outbound]
  if (!entry || entry.traits.requires_pages || entry.kind === 'builtin') return null
  return (
    <p className={styles.quiet}>
      {entry.name} is given the document itself and makes its own black and white: the pages may look a little different
      on arrival.
    </p>
  )
}
