import type { Tones } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../session/session.ts'
import { DoubtList } from '../../../ui/fax/unlikely-question.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import { countPages, grouped } from '../../../ui/words/figures.ts'
import type { CoverDraft } from '../cover-draft.ts'
import { type FaxPreview, pricesQuery, quoteQuery } from '../queries.ts'
import { namesOf, type RecipientList } from './recipient-list.ts'
import type { NumberCheck } from './use-asking.ts'

interface Props {
  /** Of the document as it would be faxed; undefined while it is measured. */
  preview: FaxPreview | undefined
  tones: Tones
  list: RecipientList
  cover: CoverDraft
  /** Numbers it could go to. */
  count: number
  /** What the gateway says of them. */
  found: NumberCheck
  /** On the test line, and with an account in test mode, nothing is sent. */
  test: boolean
  /** @param dials whether numbers that most likely do not exist are dialed */
  onConfirm: (dials: boolean) => void
  onClose: () => void
}

const choices = [
  { value: 'skip', label: 'Leave them out' },
  { value: 'dial', label: 'Dial them anyway' },
] as const

const rows = (count: number, one: string, many: string) => `${grouped(count)} ${count === 1 ? one : many}`

/** Which cover page each fax has, and whom it names. */
function coverInWords({ template, to }: CoverDraft, list: RecipientList): string {
  if (template === 'none') return 'without a cover page'
  const named = to.trim() ? `for “${to.trim()}”, the same name for every recipient` : namesOf(list)
  return `with a ${template} cover page (${named ?? 'without a name'})`
}

/** What one fax takes on the line, and its price where the organization entered one for the provider. */
function useEstimate(preview: FaxPreview | undefined, tones: Tones) {
  const { config, may } = useSession()
  const { data: quote } = useQuery({ ...quoteQuery(preview?.id ?? '', tones), enabled: preview !== undefined })
  const { data: prices } = useQuery({ ...pricesQuery, enabled: may('read_reports') })
  const seconds = quote?.seconds ?? preview?.estimated_seconds
  if (!preview || seconds === undefined) return undefined
  const today = new Date().toLocaleDateString('sv')
  const price = prices?.find(
    ({ backend, direction, valid_from: from }) =>
      backend === config.hybrid.outbound && direction === 'sent' && from <= today,
  )
  const cost = price && {
    currency: price.currency,
    amount: preview.pages * Number(price.per_page) + (seconds / 60) * Number(price.per_minute) + Number(price.per_call),
  }
  return { minutes: Math.max(1, Math.ceil(seconds / 60)), cost }
}

const minutesInWords = (count: number) => rows(count, 'minute', 'minutes')

/** What all of it takes: "About 2 minutes each, 400 minutes together, about 14.00 USD by your prices." */
function estimateInWords({ minutes, cost }: NonNullable<ReturnType<typeof useEstimate>>, count: number): string {
  const price = cost ? `, about ${(cost.amount * count).toFixed(2)} ${cost.currency} by your prices` : ''
  return `About ${minutesInWords(minutes)} each, ${minutesInWords(minutes * count)} together${price}.`
}

/** Asks before one document goes to many numbers. */
export function ConfirmBroadcast(props: Props) {
  const { preview, tones, list, cover, count: all, found, test, onConfirm, onClose } = props
  const estimate = useEstimate(preview, tones)
  const [choice, setChoice] = useState<'skip' | 'dial'>('skip')
  const { invalid, unlikely } = found
  const count = all - invalid.length - (choice === 'skip' ? unlikely.length : 0)
  const { duplicates } = list
  const refused = list.refused.length + invalid.length
  const left = [
    ...(duplicates.length > 0 ? [rows(duplicates.length, 'duplicate', 'duplicates')] : []),
    ...(refused > 0 ? [rows(refused, 'invalid row', 'invalid rows')] : []),
  ]
  return (
    <Confirm
      title={`Send to ${grouped(count)} numbers?`}
      verb={`Send to ${grouped(count)} numbers`}
      confirmable={count > 0}
      onConfirm={() => onConfirm(choice === 'dial')}
      onClose={onClose}
    >
      <p>
        {[preview ? countPages(preview.pages) : 'One fax', coverInWords(cover, list)].join(', ')} to each number. You
        can pause the broadcast, or cancel the faxes still waiting.
      </p>
      {estimate && <p>{estimateInWords({ ...estimate, ...(test && { cost: undefined }) }, count)}</p>}
      {left.length > 0 && <p>Left out: {left.join(' and ')}.</p>}
      {unlikely.length > 0 && (
        <>
          <p>{rows(unlikely.length, 'number most likely does', 'numbers most likely do')}n’t exist:</p>
          <DoubtList doubts={unlikely} />
          <SelectField label="Unlikely numbers" value={choice} choices={choices} onChange={setChoice} />
        </>
      )}
      {test && <p>These faxes are tests and are not sent.</p>}
    </Confirm>
  )
}
