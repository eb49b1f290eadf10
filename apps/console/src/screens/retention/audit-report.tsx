import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { fieldsOf, SelectField, TextField } from '../../ui/form/fields.tsx'
import { TimeRangeField } from '../../ui/form/time-range-field.tsx'
import { FormDialog } from '../../ui/overlay/dialog.tsx'
import { anyTime } from '../../ui/time-range.ts'
import { type ReportAsked, saveReport } from './queries.ts'

const kinds = [
  { value: 'fax', label: 'A fax' },
  { value: 'number', label: 'A number' },
  { value: 'person', label: 'A person' },
] as const

const formats = [
  { value: 'pdf', label: 'PDF, to hand on' },
  { value: 'csv', label: 'CSV, for a spreadsheet' },
] as const

const subjects = {
  fax: {
    label: 'Fax ID',
    placeholder: '',
    help: 'The 32 characters under Details of the fax, or in its audit trail entries.',
  },
  number: { label: 'Number', placeholder: '+15555550123', help: 'With country code.' },
  person: { label: 'Name or ID', placeholder: '', help: 'A current or former name, or the ID of the person.' },
} as const

const ranges = ['', '24h', '7d', '30d', 'custom'] as const
const blank: ReportAsked = { kind: 'fax', subject: '', range: anyTime, format: 'pdf' }

/** Asks what an audit report is about, and downloads it. */
export function AuditReport({ onClose }: { onClose: () => void }) {
  const [asked, setAsked] = useState(blank)
  const saving = useAction(saveReport, { onDone: onClose, toast: 'Report downloaded' })
  const { label, help, placeholder } = subjects[asked.kind]
  return (
    <FormDialog
      title="Audit report"
      verb="Download report"
      ready={asked.subject.trim() !== ''}
      action={saving}
      onSubmit={() => saving.run({ ...asked, subject: asked.subject.trim() })}
      onClose={onClose}
    >
      <p>
        Lists what the audit trail says about one fax, number or person: who did what, and when. It names your
        organization, the period and who made it, and verifies the audit trail first. Making a report is recorded.
      </p>
      <SelectField
        label="About"
        choices={kinds}
        value={asked.kind}
        onChange={(kind) => setAsked({ ...asked, kind, subject: '' })}
      />
      <TextField
        label={label}
        help={help}
        placeholder={placeholder}
        maxLength={120}
        {...fieldsOf(asked, setAsked)('subject')}
      />
      <TimeRangeField
        label="Period"
        ranges={ranges}
        value={asked.range}
        onChange={(range) => setAsked({ ...asked, range })}
      />
      <SelectField
        label="Format"
        choices={formats}
        value={asked.format}
        onChange={(format) => setAsked({ ...asked, format })}
      />
    </FormDialog>
  )
}
