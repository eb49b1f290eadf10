import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOwnGroups } from '../../../api/groups.ts'
import { providersQuery } from '../../../api/overview.ts'
import { Button } from '../../../ui/control/button.tsx'
import { IconX } from '../../../ui/control/icons.ts'
import { fieldsOf, SearchField, SelectField } from '../../../ui/form/fields.tsx'
import { TimeRangeField } from '../../../ui/form/time-range-field.tsx'
import { useWide } from '../../../ui/layout/use-media.ts'
import styles from './filter-bar.module.css'
import { blankFilter, chipsOf, type FilterFields, isBlank, statusChoices } from './job-filter.ts'

/** Search and filters of the list, and which of them are in force; on a small screen the filters unfold. */
export function FilterBar({ filter, onChange }: { filter: FilterFields; onChange: (filter: FilterFields) => void }) {
  const { data } = useQuery(providersQuery)
  const wide = useWide()
  const [unfolded, setUnfolded] = useState(false)
  const providers = Object.values(data?.registry ?? {}).map(({ id, name }) => ({ value: id, label: name }))
  // A filter kept from before stays visible, also when its provider is gone.
  const missing = filter.backend && !providers.some(({ value }) => value === filter.backend) ? [filter.backend] : []
  const choices = [{ value: '', label: 'Any' }, ...providers, ...missing.map((value) => ({ value, label: value }))]
  const set = (change: Partial<FilterFields>) => onChange({ ...filter, ...change })
  const field = fieldsOf(filter, onChange)
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
        <SearchField label="Search words, number, ID or error" {...field('q')} />
      </div>
      {!wide && (
        <Button aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          Filters
        </Button>
      )}
      {(wide || unfolded) && (
        <>
          <SelectField label="Status" choices={statusChoices} {...field('status')} />
          <SelectField label="Provider" choices={choices} {...field('backend')} />
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
