import { useQuery } from '@tanstack/react-query'
import type { BroadcastDetail } from '@faxdeck/contract'
import { isSplit, recipientsOf, type SentFax } from './draft.ts'
import { useSendBroadcast } from './recipients/use-send-broadcast.ts'
import { useSend } from './queries.ts'
import type { useDraft } from './use-draft.ts'
import { splitQuery, useSendSplit } from './split/queries.ts'

interface Outcomes {
  onSent: (accepted: SentFax[]) => void
  onBroadcast: (made: BroadcastDetail) => void
}

/** How the draft is handed over: to each of its recipients, as one broadcast, or as the faxes that it is split into. */
export function useSubmission(composed: ReturnType<typeof useDraft>, { onSent, onBroadcast }: Outcomes) {
  const { draft } = composed
  const broadcast = useSendBroadcast(composed, onBroadcast)
  const single = useSend(composed, onSent)
  const split = useSendSplit(composed, onSent)
  const splits = isSplit(draft)
  const { data: plan } = useQuery(splitQuery(draft))
  const isBroadcast = !splits && draft.list !== undefined
  return {
    busy: splits ? split.busy : isBroadcast ? broadcast.busy : single.busy,
    splits,
    isBroadcast,
    sendSplit: split.send,
    sendEach: single.send,
    sendBroadcast: broadcast.send,
    /** Faxes that it becomes, as far as is known. */
    count: splits ? (plan?.parts.length ?? 0) : recipientsOf(draft).length,
    /** Nothing is split before a person could see to which number each page goes. */
    isReady: !splits || plan !== undefined,
    error: splits ? split.error : isBroadcast ? broadcast.error : null,
  }
}
