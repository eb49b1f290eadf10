import { SelectField } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { periodChoices, type ReportFields, usualStep } from './report-fields.ts'
import styles from './reports.module.css'

const stepChoices = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const

const zoneChoices = [
  { value: 'viewer', label: 'Your time zone' },
  { value: 'gateway', label: 'Gateway time zone' },
] as const

interface Props {
  fields: ReportFields
  onChange: (fields: ReportFields) => void
}

/** Which days are reported, in which steps, and where a day begins. */
export function FilterRow({ fields, onChange }: Props) {
  const set = (change: Partial<ReportFields>) => onChange({ ...fields, ...change })
  return (
    <div role="search" className={styles.filter} aria-label="Choose the period">
      <SelectField
        label="Period"
        value={fields.period}
        choices={periodChoices}
        onChange={(period) => set({ period, step: usualStep[period] })}
      />
      {fields.period === 'custom' && (
        <>
          <TextField
            label="First day"
            type="date"
            max={fields.to}
            value={fields.from}
            onChange={(from) => set({ from })}
          />
          <TextField label="Last day" type="date" min={fields.from} value={fields.to} onChange={(to) => set({ to })} />
        </>
      )}
      <SelectField label="Group by" value={fields.step} choices={stepChoices} onChange={(step) => set({ step })} />
      <SelectField label="Time zone" value={fields.zone} choices={zoneChoices} onChange={(zone) => set({ zone })} />
    </div>
  )
}
