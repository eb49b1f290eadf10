import type { BroadcastDetail } from '@faxdeck/contract'
import { client } from '../../../api/client.ts'
import { randomKey } from '../../../api/random-key.ts'
import { useAction } from '../../../api/use-action.ts'
import { coverFieldsOf } from '../cover-draft.ts'
import { documentOf, groupFieldOf, settleBroadcast, tonesOf, type Draft } from '../draft.ts'
import { asJson, type RecipientList } from './recipient-list.ts'
import type { useDraft } from '../use-draft.ts'

interface Handover {
  draft: Draft
  list: RecipientList
  file: File
}

/** Hands the draft over as one broadcast, once, however often it is asked to. */
export function useSendBroadcast(
  { draft, change }: ReturnType<typeof useDraft>,
  onSent: (made: BroadcastDetail) => void,
) {
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
