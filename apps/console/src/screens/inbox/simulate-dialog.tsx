import { isFaxNumber } from '@faxdeck/contract/phone'
import { useState } from 'react'
import { SelectField, TextField } from '../../ui/form/fields.tsx'
import { FormDialog } from '../../ui/overlay/dialog.tsx'
import { type Simulation, useSimulation } from './queries.ts'

const statuses = [
  { value: 'received', label: 'Received' },
  { value: 'failed', label: 'Failed' },
] as const

const maxPages = 20

/** Lets a made fax arrive, by the way real ones take. */
export function SimulateDialog({ onClose }: { onClose: () => void }) {
  const [to, setTo] = useState('')
  const [pages, setPages] = useState('1')
  const [status, setStatus] = useState<NonNullable<NonNullable<Simulation>['status']>>('received')
  const [checked, setChecked] = useState(false)
  const simulation = useSimulation(onClose)
  const count = Number(pages)
  const wrongTo = to.trim() !== '' && !isFaxNumber(to) ? 'Please enter a valid phone number' : undefined
  const isCount = Number.isInteger(count) && count >= 1 && count <= maxPages
  const wrongPages = isCount ? undefined : `Enter a whole number from 1 to ${maxPages}.`

  const submit = () => {
    setChecked(true)
    if (!wrongTo && !wrongPages) simulation.run({ pages: count, status, ...(to.trim() && { to: to.trim() }) })
  }
  return (
    <FormDialog
      title="Create a test fax"
      verb="Simulate"
      action={simulation}
      stoppable
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <p>The test fax goes through the normal receiving path and is marked as a test.</p>
      <TextField
        label="To"
        type="tel"
        placeholder="+1 555 555 0123"
        help="The number the fax was sent to. Leave blank for the default number."
        wrong={checked ? wrongTo : undefined}
        value={to}
        onChange={setTo}
      />
      <TextField
        label="Pages"
        type="number"
        min={1}
        max={maxPages}
        wrong={checked ? wrongPages : undefined}
        value={pages}
        onChange={setPages}
      />
      <SelectField label="Status" value={status} choices={statuses} onChange={setStatus} />
    </FormDialog>
  )
}
