import { useId, useState } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { fieldsOf, SearchField, TextField } from '../../ui/form/fields.tsx'
import { TimeRangeField } from '../../ui/form/time-range-field.tsx'
import { Views } from '../../ui/layout/tabs.tsx'
import { useWide } from '../../ui/layout/use-media.ts'
import { blankFields, isFiltered, type LogFields, sinceChoices } from './log-filter.ts'
import styles from './logs.module.css'

const sources = [
  { key: 'trail', label: 'Audit trail' },
  { key: 'file', label: 'File tail' },
] as const

interface Props {
  fields: LogFields
  /** Names of events that were seen, to choose from. */
  events: readonly string[]
  onChange: (fields: LogFields) => void
}

/** Where entries are read, and which of them are shown. */
export function FilterBar({ fields, events, onChange }: Props) {
  const listId = useId()
  const set = (change: Partial<LogFields>) => onChange({ ...fields, ...change })
  const field = fieldsOf(fields, onChange)
  const inFile = fields.source === 'file'
  const wide = useWide()
  const [unfolded, setUnfolded] = useState(false)
  return (
    <div role="search" className={styles.bar} aria-label="Filter the entries">
      {(wide || unfolded || inFile) && (
        <div className={styles.sources}>
          <Views label="Read from" tabs={sources} current={fields.source} onGo={(source) => set({ source })} />
        </div>
      )}
      <div className={styles.search}>
        <SearchField label="Search words or key:value" {...field('search')} />
      </div>
      {!wide && (
        <Button aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          Filters
        </Button>
      )}
      {(wide || unfolded) && (
        <>
          <div className={styles.eventField}>
            <TextField label="Event" list={listId} {...field('event')} />
            <datalist id={listId}>
              {events.map((event) => (
                <option key={event} value={event} />
              ))}
            </datalist>
          </div>
          {!inFile && <TimeRangeField label="Since" openEnd ranges={sinceChoices} {...field('since')} />}
          {/* How much is read, before tokens leave entries out. */}
          <div className={styles.count}>
            {inFile ? (
              <TextField label="Lines" type="number" min={1} max={20_000} {...field('lines')} />
            ) : (
              <TextField label="Limit" type="number" min={1} max={1000} {...field('limit')} />
            )}
          </div>
        </>
      )}
      {isFiltered(fields) && (
        <Button
          tone="quiet"
          onClick={() => set({ search: blankFields.search, event: blankFields.event, since: blankFields.since })}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}
