import type { SplitPart, Unreadable } from '@faxdeck/contract'
import { formatNumber } from '@faxdeck/contract/phone'
import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '../../../ui/form/fields.tsx'
import { ErrorNotice, Skeleton } from '../../../ui/layout/states.tsx'
import { type Draft, isSplit, mayBeSplit } from '../draft.ts'
import { LostWriting } from '../lost-writing.tsx'
import { splitQuery } from './queries.ts'
import styles from './split.module.css'

interface Props {
  draft: Draft
  country: string
  onSplit: (wanted: boolean) => void
  onChoose: (unreadable: Unreadable) => void
}

/** Whether a scan is several faxes, which they are, and the sheets that stand between them. */
export function SplitChoice({ draft, country, onSplit, onChoose }: Props) {
  if (!mayBeSplit(draft)) return null
  return (
    <div className={styles.choice}>
      <Checkbox
        label="Split at separator sheets"
        help="One scan becomes several faxes, each to the number on its sheet."
        checked={draft.split}
        onChange={onSplit}
      />
      {isSplit(draft) && <SplitPlan draft={draft} country={country} onChoose={onChoose} />}
    </div>
  )
}

const rangeOf = ({ first_page: first, last_page: last }: SplitPart) =>
  first === last ? `Page ${first}` : `Pages ${first} to ${last}`

interface SplitPlanProps {
  draft: Draft
  country: string
  onChoose: (unreadable: Unreadable) => void
}

/** To which number each page of a scan goes, to be looked at before sending. */
function SplitPlan({ draft, country, onChoose }: SplitPlanProps) {
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
