import { SearchField } from '../../ui/form/search-field.tsx'
import { Segments } from '../../ui/form/segments.tsx'
import styles from './inbox.module.css'
import type { InboxFilter } from './queries.ts'

const views = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'failed', label: 'Failed' },
] as const

interface Props {
  view: InboxFilter['view']
  typed: string
  onView: (view: InboxFilter['view']) => void
  onType: (typed: string) => void
}

/** Which faxes are shown: all, unread or failed ones, and those that hold what is typed. */
export function InboxFilterBar({ view, typed, onView, onType }: Props) {
  return (
    <div role="search" aria-label="Search the inbox" className={styles.filter}>
      <div className={styles.search}>
        <SearchField label="Search words or numbers" value={typed} onChange={onType} />
      </div>
      <Segments label="Show" choices={views} value={view} onChange={onView} />
    </div>
  )
}
