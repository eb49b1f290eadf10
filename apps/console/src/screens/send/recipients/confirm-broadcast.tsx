import { useState } from 'react'
import { DoubtList } from '../../../ui/fax/unlikely-question.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import { countPages, grouped } from '../../../ui/words/figures.ts'
import type { CoverDraft } from '../cover-draft.ts'
import { namesOf, type RecipientList } from './recipient-list.ts'
import type { NumberCheck } from './use-asking.ts'

interface Props {
  list: RecipientList
  cover: CoverDraft
  /** Of each fax, as far as is known. */
  pages: number | undefined
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

/** Asks before one document goes to many numbers. */
export function ConfirmBroadcast({ list, cover, pages, count: all, found, test, onConfirm, onClose }: Props) {
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
        {[pages === undefined ? 'One fax' : countPages(pages), coverInWords(cover, list)].join(', ')} to each number.
        You can pause the broadcast, or cancel the faxes still waiting.
      </p>
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
