import { anyTime, rangeWords, type TimeRange } from '../time-range.ts'
import { SelectField, TextField } from './fields.tsx'

const usual: readonly TimeRange['range'][] = ['', '1h', '24h', '7d', '30d', 'custom']

interface Props {
  label?: string
  value: TimeRange
  /** Which ranges are offered. */
  ranges?: readonly TimeRange['range'][]
  /** Without an end of one's own: up to now. */
  openEnd?: boolean
  onChange: (range: TimeRange) => void
}

/** Which time is shown: the last hours or days, or two instants of one's own. */
export function TimeRangeField({ label = 'Time', value, ranges = usual, openEnd = false, onChange }: Props) {
  const { range, from, to } = value
  // One that another screen offers stays visible.
  const offered = ranges.includes(range) ? ranges : [...ranges, range]
  return (
    <>
      <SelectField
        label={label}
        value={range}
        choices={offered.map((each) => ({ value: each, label: rangeWords[each] }))}
        onChange={(next) => onChange({ ...anyTime, range: next })}
      />
      {range === 'custom' && (
        <>
          <TextField
            label="From"
            type="datetime-local"
            max={to}
            value={from}
            onChange={(next) => onChange({ range, from: next, to })}
          />
          {!openEnd && (
            <TextField
              label="To"
              type="datetime-local"
              min={from}
              value={to}
              onChange={(next) => onChange({ range, from, to: next })}
            />
          )}
        </>
      )}
    </>
  )
}
