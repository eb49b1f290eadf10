import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { grouped } from '../../../ui/words/grouped.ts'
import type { RecipientList } from './recipient-list.ts'

interface Props {
  list: RecipientList
  /** Numbers it goes to. */
  count: number
  /** On the test line, and with an account in test mode, nothing is sent. */
  test: boolean
  onConfirm: () => void
  onClose: () => void
}

const rows = (count: number, one: string, many: string) => `${grouped(count)} ${count === 1 ? one : many}`

/** Asks before one document goes to many numbers. */
export function ConfirmBroadcast({ list, count, test, onConfirm, onClose }: Props) {
  const { duplicates, refused } = list
  const left = [
    ...(duplicates.length > 0 ? [rows(duplicates.length, 'duplicate', 'duplicates')] : []),
    ...(refused.length > 0 ? [rows(refused.length, 'invalid row', 'invalid rows')] : []),
  ]
  return (
    <Confirm
      title={`Send to ${grouped(count)} numbers?`}
      verb={`Send to ${grouped(count)} numbers`}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>Each number gets one fax. You can pause the broadcast, or cancel the faxes still waiting.</p>
      {left.length > 0 && <p>Left out: {left.join(' and ')}.</p>}
      {test && <p>These faxes are tests and are not sent.</p>}
    </Confirm>
  )
}
