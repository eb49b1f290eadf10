import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import type { Providers } from '../../api/providers.ts'
import { useAction } from '../../api/use-action.ts'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { type PriceTerms, savePrice } from './queries.ts'

const directions = [
  { value: 'sent', label: 'Sending' },
  { value: 'received', label: 'Receiving' },
] as const

const amounts = [
  { name: 'per_page', label: 'Per page' },
  { name: 'per_minute', label: 'Per minute' },
  { name: 'per_call', label: 'Per call' },
] as const

const blank = { direction: 'sent', currency: 'USD', per_page: '', per_minute: '', per_call: '' } as const
type Fields = Record<Exclude<keyof typeof blank, 'direction'> | 'backend' | 'valid_from', string> &
  Pick<PriceTerms, 'direction'>

const amountOf = (typed: string) => (typed.trim() === '' ? null : typed.trim().replace(',', '.'))

const termsOf = (fields: Fields): PriceTerms => ({
  backend: fields.backend,
  direction: fields.direction,
  valid_from: fields.valid_from,
  currency: fields.currency.trim().toUpperCase(),
  per_page: amountOf(fields.per_page),
  per_minute: amountOf(fields.per_minute),
  per_call: amountOf(fields.per_call),
})

interface Props {
  providers: Providers | undefined
  /** What is stale once it is saved. */
  refreshes: QueryKey[]
  onClose: () => void
}

/** What one provider charges from a day on. */
export function PriceDialog({ providers, refreshes, onClose }: Props) {
  const choices = Object.entries(providers?.registry ?? {})
    .filter(([, { kind }]) => kind !== 'builtin')
    .toSorted(([, a], [, b]) => Number(b.configured) - Number(a.configured) || a.name.localeCompare(b.name))
    .map(([value, { name }]) => ({ value, label: name }))
  const today = new Date().toLocaleDateString('sv')
  const [typed, setTyped] = useState<Fields>({ ...blank, backend: '', valid_from: today })
  // Until one is chosen it is the first, which may be known later than the dialog is open.
  const fields = { ...typed, backend: typed.backend || (choices[0]?.value ?? '') }
  const set = (change: Partial<Fields>) => setTyped({ ...typed, ...change })
  const save = useAction(savePrice, { refreshes, onDone: onClose })
  const isEmpty = amounts.every(({ name }) => amountOf(fields[name]) === null)
  return (
    <FormDialog
      title="Add price"
      verb="Save price"
      ready={!isEmpty && fields.backend !== '' && fields.valid_from !== ''}
      action={save}
      onSubmit={() => save.run(termsOf(fields))}
      onClose={onClose}
    >
      <SelectField label="Provider" value={fields.backend} choices={choices} onChange={(backend) => set({ backend })} />
      <SelectField
        label="Direction"
        value={fields.direction}
        choices={directions}
        onChange={(direction) => set({ direction })}
      />
      <TextField
        label="Valid from"
        type="date"
        help="An existing price with the same date is replaced."
        value={fields.valid_from}
        onChange={(from) => set({ valid_from: from })}
      />
      <TextField
        label="Currency"
        help="Three letters, such as USD or EUR."
        maxLength={3}
        value={fields.currency}
        onChange={(currency) => set({ currency })}
      />
      {amounts.map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          inputMode="decimal"
          placeholder="0.07"
          value={fields[name]}
          onChange={(amount) => set({ [name]: amount })}
        />
      ))}
      <p className="quiet">
        Leave blank anything that isn’t charged. Minutes are counted to the second, from answer to hang-up, where call
        records are available.
      </p>
    </FormDialog>
  )
}
