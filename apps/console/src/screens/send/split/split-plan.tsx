import type { SplitPart, Unreadable } from '@faxdeck/contract'
import { formatNumber } from '@faxdeck/contract/phone'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import type { Draft } from '../draft.ts'
import { LostWriting } from '../lost-writing.tsx'
import { splitQuery } from './queries.ts'
import styles from './split.module.css'

const rangeOf = ({ first_page: first, last_page: last }: SplitPart) =>
  first === last ? `Page ${first}` : `Pages ${first} to ${last}`

interface Props {
  draft: Draft
  country: string
  onChoose: (unreadable: Unreadable) => void
}

/** To which number each page of a scan goes, to be looked at before sending. */
export function SplitPlan({ draft, country, onChoose }: Props) {
  const { data, error, isFetching, refetch } = useQuery(splitQuery(draft))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} busy={isFetching} />
  if (!data) {
    return (
      <div className={styles.reading} role="status">
        <p className="muted">Reading the separator sheets. A long scan takes a while.</p>
        <Skeleton lines={2} height={2} />
      </div>
    )
  }
  // The notes count the pages of their part.
  const notes = data.parts.flatMap(({ page_notes, to }) =>
    page_notes.map((note) => ({ ...note, sentence: `Fax to ${formatNumber(to, country)}: ${note.sentence}` })),
  )
  const isDrawnHere = data.parts.every((part) => !part.drawn_by_provider)
  return (
    <section className={styles.plan} aria-label="Faxes of this scan">
      <h2>{data.parts.length === 1 ? 'One fax' : `${data.parts.length} faxes`}</h2>
      <ol>
        {data.parts.map((part) => (
          <li key={part.first_page}>
            <span className={styles.number}>{formatNumber(part.to, country)}</span>
            {part.reference !== null && <span className={styles.reference}>{part.reference}</span>}
            <span className={styles.pages}>{rangeOf(part)}</span>
          </li>
        ))}
      </ol>
      <p className="muted">Check that every page goes to the right number. The separator sheets are not sent.</p>
      <LostWriting notes={notes} chosen={draft.unreadable} isDrawnHere={isDrawnHere} onChoose={onChoose} />
    </section>
  )
}
