import { useQuery } from '@tanstack/react-query'
import { isSplit, recipientsOf, type SentFax } from '../draft.ts'
import { useSend } from '../queries.ts'
import type { useDraft } from '../use-draft.ts'
import { splitQuery, useSendSplit } from './queries.ts'

/** How the draft is handed over: to each of its recipients, or as the faxes that it is split into. */
export function useSubmission(composed: ReturnType<typeof useDraft>, onSent: (accepted: SentFax[]) => void) {
  const { draft } = composed
  const single = useSend(composed, onSent)
  const split = useSendSplit(composed, onSent)
  const splits = isSplit(draft)
  const { data: plan } = useQuery(splitQuery(draft))
  return {
    ...(splits ? split : single),
    splits,
    /** Faxes that it becomes, as far as is known. */
    count: splits ? (plan?.parts.length ?? 0) : recipientsOf(draft).length,
    /** Nothing is split before a person could see to which number each page goes. */
    isReady: !splits || plan !== undefined,
    splitError: split.error,
  }
}
