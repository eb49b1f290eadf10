import { useId } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { SearchField } from '../../ui/form/search-field.tsx'
import { TimeRangeField } from '../../ui/form/time-range-field.tsx'
import { Views } from '../../ui/layout/tabs.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { blankFields, isFiltered, sinceChoices, type LogFields } from './log-filter.ts'
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
  const inFile = fields.source === 'file'
  return (
    <div role="search" className={styles.bar} aria-label="Filter the entries">
      <div className={styles.sources}>
        <Views label="Read from" tabs={sources} current={fields.source} onGo={(source) => set({ source })} />
      </div>
      <div className={styles.search}>
        <SearchField label="Search words or key:value" value={fields.search} onChange={(search) => set({ search })} />
      </div>
      <div className={styles.eventField}>
        <TextField label="Event" list={listId} value={fields.event} onChange={(event) => set({ event })} />
        <datalist id={listId}>
          {events.map((event) => (
            <option key={event} value={event} />
          ))}
        </datalist>
      </div>
      {!inFile && (
        <TimeRangeField
          label="Since"
          openEnd
          value={fields.since}
          ranges={sinceChoices}
          onChange={(since) => set({ since })}
        />
      )}
      <Count inFile={inFile} fields={fields} set={set} />
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

interface CountProps {
  inFile: boolean
  fields: LogFields
  set: (change: Partial<LogFields>) => void
}

/** How much is read, before tokens leave entries out. */
function Count({ inFile, fields, set }: CountProps) {
  const field = inFile
    ? { label: 'Lines', value: fields.lines, max: 20_000, onChange: (lines: string) => set({ lines }) }
    : { label: 'Limit', value: fields.limit, max: 1000, onChange: (limit: string) => set({ limit }) }
  return (
    <div className={styles.count}>
      <TextField type="number" min={1} {...field} />
    </div>
  )
}
