import { useQuery } from '@tanstack/react-query'
import { providersQuery } from '../../api/providers.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconX } from '../../ui/control/icons.ts'
import { SearchField } from '../../ui/form/search-field.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import styles from './filter-bar.module.css'
import { blankFilter, isBlank, statusChoices, type FilterFields } from './job-filter.ts'

interface Props {
  filter: FilterFields
  onChange: (filter: FilterFields) => void
}

/** Search and filters of the list. */
export function FilterBar({ filter, onChange }: Props) {
  const { data } = useQuery(providersQuery)
  const providers = Object.values(data?.registry ?? {}).map(({ id, name }) => ({ value: id, label: name }))
  // A filter kept from before stays visible, also when its provider is gone.
  const missing = filter.backend && !providers.some(({ value }) => value === filter.backend) ? [filter.backend] : []
  const choices = [{ value: '', label: 'Any' }, ...providers, ...missing.map((value) => ({ value, label: value }))]
  const set = (change: Partial<FilterFields>) => onChange({ ...filter, ...change })
  return (
    <div role="search" className={styles.bar} aria-label="Filter the list">
      <div className={styles.search}>
        <SearchField label="Search words, number, id or error" value={filter.q} onChange={(q) => set({ q })} />
      </div>
      <SelectField
        label="Status"
        value={filter.status}
        choices={statusChoices}
        onChange={(status) => set({ status })}
      />
      <SelectField label="Provider" value={filter.backend} choices={choices} onChange={(backend) => set({ backend })} />
      <TextField label="From" type="date" max={filter.to} value={filter.from} onChange={(from) => set({ from })} />
      <TextField label="To" type="date" min={filter.from} value={filter.to} onChange={(to) => set({ to })} />
      {filter.broadcast && (
        <Button onClick={() => set({ broadcast: '' })}>
          Broadcast {filter.broadcast.slice(0, 8)}
          <span className="unseen">: show faxes of all broadcasts</span>
          <IconX size="0.875rem" aria-hidden="true" />
        </Button>
      )}
      {!isBlank(filter) && (
        <Button tone="quiet" onClick={() => onChange(blankFilter)}>
          Clear filters
        </Button>
      )}
    </div>
  )
}
