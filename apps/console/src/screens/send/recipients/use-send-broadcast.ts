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
    change((present) => ({ ...present, broadcastKey, sending: true }))
    const { unreadable, typed } = started
    const fax = { file, tones: tonesOf(started), unreadable, ...groupFieldOf(started), ...coverFieldsOf(started.cover) }
    try {
      const form = { ...fax, recipients: asJson(list, typed) }
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
  const send = () => {
    const file = documentOf(draft)
    if (file && draft.list && !draft.sending) run({ draft, list: draft.list, file })
  }
  return { send, busy: busy || draft.sending, error }
}
