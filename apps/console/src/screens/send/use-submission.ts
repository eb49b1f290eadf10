import type { BroadcastDetail } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { randomKey } from '../../api/random-key.ts'
import { useAction } from '../../api/use-action.ts'
import { coverFieldsOf } from './cover-draft.ts'
import {
  documentOf,
  type Draft,
  groupFieldOf,
  isSplit,
  recipientsOf,
  type SentFax,
  settleBroadcast,
  tonesOf,
} from './draft.ts'
import { useSend } from './queries.ts'
import { asJson, type RecipientList } from './recipients/recipient-list.ts'
import { splitQuery, useSendSplit } from './split/queries.ts'
import type { useDraft } from './use-draft.ts'

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

interface Handover {
  draft: Draft
  list: RecipientList
  file: File
}

/** Hands the draft over as one broadcast, once, however often it is asked to. */
function useSendBroadcast({ draft, change }: ReturnType<typeof useDraft>, onSent: (made: BroadcastDetail) => void) {
  const handOver = async ({ draft: started, list, file }: Handover) => {
    // The same key again after a failure: what was accepted although its answer was lost is not sent twice.
    const broadcastKey = started.broadcastKey ?? randomKey()
    const { meant } = started
    change((present) => ({ ...present, list, typed: started.typed, meant, broadcastKey, sending: true }))
    const { unreadable, typed } = started
    const fax = { file, tones: tonesOf(started), unreadable, ...groupFieldOf(started), ...coverFieldsOf(started.cover) }
    try {
      const allow = started.meant.length > 0 && ({ allow_unlikely_number: 'true' } as const)
      const form = { ...fax, ...allow, recipients: asJson(list, typed) }
      const made = await client.createBroadcast({ form }, { headers: { 'idempotency-key': broadcastKey } })
      // A log-out meanwhile has taken the draft away; nothing of it may come back.
      change((present) => (present.sending ? settleBroadcast(present, started) : present))
      return made
    } catch (problem) {
      change((present) => ({ ...present, sending: false }))
      throw problem
    }
  }
  const { run, busy, error } = useAction(handOver, {
    onDone: onSent,
    refreshes: [['jobs', 'newest'], ['broadcasts'], ['health-status']],
  })
  /** @param chosen the draft without the numbers that are left out, where that is newer than the draft */
  const send = (chosen = draft) => {
    const file = documentOf(chosen)
    if (file && chosen.list && !draft.sending) run({ draft: chosen, list: chosen.list, file })
  }
  return { send, busy: busy || draft.sending, error }
}
