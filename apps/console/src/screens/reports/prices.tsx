import type { Price } from '@faxdeck/contract'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providerName, type Providers } from '../../api/overview.ts'
import { useAction } from '../../api/use-action.ts'
import { ConfirmAction } from '../../session/confirm-action.tsx'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { fieldsOf, SelectField, TextField } from '../../ui/form/fields.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { FormDialog } from '../../ui/overlay/dialog.tsx'
import { dayInWords } from './figure-words.ts'
import { pricesQuery, type PriceTerms, removePrice, savePrice } from './queries.ts'
import styles from './reports.module.css'

/** "0.07 a page, 0.01 a minute". */
function termsInWords({ currency, per_page: page, per_minute: minute, per_call: call }: Price): string {
  const terms = [
    page === null ? undefined : `${page} ${currency} per page`,
    minute === null ? undefined : `${minute} ${currency} per minute`,
    call === null ? undefined : `${call} ${currency} per call`,
  ]
  return terms.filter(Boolean).join(', ')
}

const refreshes = [pricesQuery.queryKey, ['reports']]

/** What providers charge. Who may change settings sets it. */
export function Prices({ providers }: { providers: Providers | undefined }) {
  const { may } = useSession()
  const { data, error, isFetching, refetch } = useQuery(pricesQuery)
  const [adding, setAdding] = useState(false)
  const [asked, setAsked] = useState<Price>()
  const mayChange = may('manage_settings')
  return (
    <>
      <div className={styles.head}>
        <p className="quiet">
          A price applies from its date until the same provider’s next price, so the costs of past months don’t change.
        </p>
        {mayChange && <Button onClick={() => setAdding(true)}>Add price</Button>}
      </div>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={2} height={1.5} />}
      {data?.length === 0 && <p className="quiet">No prices yet. Reports show no costs until you add one.</p>}
      <ul className={styles.prices} aria-label="Prices">
        {data?.map((price) => (
          <li key={price.id}>
            <span>
              {providerName(price.backend, providers)}
              <span className="quiet">
                {` · ${price.direction === 'sent' ? 'sending' : 'receiving'} · from ${dayInWords(price.valid_from, true)}`}
              </span>
              <br />
              {termsInWords(price)}
            </span>
            {mayChange && (
              <Button
                tone="quiet"
                aria-label={`Remove the price of ${providerName(price.backend, providers)} from ${dayInWords(price.valid_from, true)}`}
                onClick={() => setAsked(price)}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {adding && <PriceDialog providers={providers} refreshes={refreshes} onClose={() => setAdding(false)} />}
      {asked && (
        <ConfirmAction
          title="Remove this price?"
          verb="Remove price"
          danger
          perform={removePrice}
          input={asked.id}
          refreshes={refreshes}
          onClose={() => setAsked(undefined)}
        >
          <p>
            Days with this price will use the provider’s previous price instead. If there is none, they show no cost.
          </p>
        </ConfirmAction>
      )}
    </>
  )
}

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
function PriceDialog({ providers, refreshes, onClose }: Props) {
  const choices = Object.entries(providers?.registry ?? {})
    .filter(([, { kind }]) => kind !== 'builtin')
    .toSorted(([, a], [, b]) => Number(b.configured) - Number(a.configured) || a.name.localeCompare(b.name))
    .map(([value, { name }]) => ({ value, label: name }))
  const today = new Date().toLocaleDateString('sv')
  const [typed, setTyped] = useState<Fields>({ ...blank, backend: '', valid_from: today })
  // Until one is chosen it is the first, which may be known later than the dialog is open.
  const fields = { ...typed, backend: typed.backend || (choices[0]?.value ?? '') }
  const field = fieldsOf(fields, setTyped)
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
      <SelectField label="Provider" choices={choices} {...field('backend')} />
      <SelectField label="Direction" choices={directions} {...field('direction')} />
      <TextField
        label="Valid from"
        type="date"
        help="An existing price with the same date is replaced."
        {...field('valid_from')}
      />
      <TextField label="Currency" help="Three letters, such as USD or EUR." maxLength={3} {...field('currency')} />
      {amounts.map(({ name, label }) => (
        <TextField key={name} label={label} inputMode="decimal" placeholder="0.07" {...field(name)} />
      ))}
      <p className="quiet">
        Leave blank anything that isn’t charged. Minutes are counted to the second, from answer to hang-up, where call
        records are available.
      </p>
    </FormDialog>
  )
}
