import type { Report } from '@faxdeck/contract'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { Note } from '../../ui/layout/note.tsx'
import { grouped } from '../../ui/words/grouped.ts'
import { costGaps, costInWords, durationInWords, successRate } from './figure-words.ts'

/** The figures of the whole period. */
export function Summary({ totals }: { totals: Report['totals'] }) {
  const facts = [
    ['Sent', grouped(totals.sent)],
    ['Delivered', grouped(totals.delivered)],
    ['Failed', grouped(totals.failed)],
    ['Canceled', grouped(totals.cancelled)],
    ['Open or unconfirmed', grouped(totals.open)],
    ['Success rate', successRate(totals)],
    ['Pages delivered', grouped(totals.pages)],
    ['Median time to delivery', durationInWords(totals.median_seconds)],
    ['95% delivered within', durationInWords(totals.p95_seconds)],
    ['Received', grouped(totals.received)],
    ['Pages received', grouped(totals.received_pages)],
    ['Cost', costInWords(totals.costs)],
  ] as const
  const gaps = costGaps(totals)
  return (
    <>
      <FactList look="tiles" facts={facts} />
      {gaps.length > 0 && <Note tone="info">{gaps.join(' ')}</Note>}
    </>
  )
}
