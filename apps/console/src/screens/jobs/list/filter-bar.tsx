import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOwnGroups } from '../../../api/groups.ts'
import { providersQuery } from '../../../api/providers.ts'
import { Button } from '../../../ui/control/button.tsx'
import { IconX } from '../../../ui/control/icons.ts'
import { SearchField } from '../../../ui/form/search-field.tsx'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { TimeRangeField } from '../../../ui/form/time-range-field.tsx'
import { useWide } from '../../../ui/layout/use-wide.ts'
import styles from './filter-bar.module.css'
import { blankFilter, chipsOf, isBlank, statusChoices, type FilterFields } from './job-filter.ts'

interface Props {
  filter: FilterFields
  onChange: (filter: FilterFields) => void
}

/** Search and filters of the list, and which of them are in force; on a small screen the filters unfold. */
export function FilterBar({ filter, onChange }: Props) {
  const { data } = useQuery(providersQuery)
  const wide = useWide()
  const [unfolded, setUnfolded] = useState(false)
  const providers = Object.values(data?.registry ?? {}).map(({ id, name }) => ({ value: id, label: name }))
  // A filter kept from before stays visible, also when its provider is gone.
  const missing = filter.backend && !providers.some(({ value }) => value === filter.backend) ? [filter.backend] : []
  const choices = [{ value: '', label: 'Any' }, ...providers, ...missing.map((value) => ({ value, label: value }))]
  const set = (change: Partial<FilterFields>) => onChange({ ...filter, ...change })
  const groups = useOwnGroups().map(({ id, name }) => ({ value: id, label: name }))
  const nameIn = (all: typeof groups, id: string, unknown: string) =>
    all.find(({ value }) => value === id)?.label ?? unknown
  const chips = chipsOf(
    filter,
    (id) => nameIn(choices, id, id),
    (id) => nameIn(groups, id, 'Another group'),
  )
  return (
    <div role="search" className={styles.bar} aria-label="Filter the list">
      <div className={styles.search}>
        <SearchField label="Search words, number, ID or error" value={filter.q} onChange={(q) => set({ q })} />
      </div>
      {!wide && (
        <Button aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          Filters
        </Button>
      )}
      {(wide || unfolded) && (
        <>
          <SelectField
            label="Status"
            value={filter.status}
            choices={statusChoices}
            onChange={(status) => set({ status })}
          />
          <SelectField
            label="Provider"
            value={filter.backend}
            choices={choices}
            onChange={(backend) => set({ backend })}
          />
          {groups.length > 1 && (
            <SelectField
              label="Group"
              value={groups.some(({ value }) => value === filter.group) ? filter.group : ''}
              choices={[{ value: '', label: 'Any' }, ...groups]}
              onChange={(group) => set({ group })}
            />
          )}
          <TimeRangeField
            label={filter.time === 'ended' ? 'Ended' : 'Created'}
            value={filter}
            onChange={(range) => set({ ...range, time: range.range === 'custom' ? filter.time : '' })}
          />
        </>
      )}
      {!isBlank(filter) && (
        <div className={styles.chips}>
          {chips.map(({ key, words, without }) => (
            <button
              key={key}
              type="button"
              className={styles.chip}
              aria-label={`Remove the filter ${words}`}
              onClick={() => set(without)}
            >
              {words}
              <IconX size="0.75rem" aria-hidden="true" />
            </button>
          ))}
          <Button tone="quiet" onClick={() => onChange(blankFilter)}>
            Clear filters
          </Button>
        </div>
      )}
    </div>
  )
}
