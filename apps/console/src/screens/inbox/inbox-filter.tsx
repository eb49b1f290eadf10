import { useOwnGroups } from '../../api/groups.ts'
import { SelectField } from '../../ui/form/select-field.tsx'
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
  group: string
  onGroup: (group: string) => void
}

/** Which faxes are shown: all, unread or failed ones, and those that hold what is typed. */
export function InboxFilterBar({ view, typed, onView, onType, group, onGroup }: Props) {
  const groups = useOwnGroups().map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div role="search" aria-label="Search the inbox" className={styles.filter}>
      <div className={styles.search}>
        <SearchField label="Search words or numbers" value={typed} onChange={onType} />
      </div>
      {groups.length > 1 && (
        <SelectField
          label="Group"
          value={group}
          choices={[{ value: '', label: 'All groups' }, ...groups]}
          onChange={onGroup}
        />
      )}
      <Segments label="Show" choices={views} value={view} onChange={onView} />
    </div>
  )
}
