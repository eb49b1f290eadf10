import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { pause } from '../../../api/live/pause.ts'
import { randomKey } from '../../../api/random-key.ts'
import { useAction } from '../../../api/use-action.ts'
import { coverFieldsOf } from '../cover-draft.ts'
import { documentOf, groupFieldOf, isSplit, settleSplit, tonesOf, type Draft, type SentFax } from '../draft.ts'
import type { useDraft } from '../use-draft.ts'

/** The cover page is read when the typing pauses. */
const typingPause = 400

/** The faxes that the draft becomes at its separator sheets. */
export const splitQuery = (draft: Draft) => {
  const fields = { tones: tonesOf(draft), ...coverFieldsOf(draft.cover) }
  return queryOptions({
    queryKey: ['send', 'split', draft.chosen?.id, fields],
    queryFn: async ({ signal }) => {
      await pause(typingPause, signal)
      const file = documentOf(draft) ?? new File([], 'empty.pdf')
      return client.quoteSplit({ form: { file, ...fields } }, { signal })
    },
    enabled: isSplit(draft),
    staleTime: Infinity,
    retry: false,
  })
}

/** A sheet to print. */
interface Sheet {
  to: string
  reference: string
  isMeant: boolean
}

export const printSheet = ({ to, reference, isMeant }: Sheet) =>
  client.printSeparator({
    body: { to, ...(reference.trim() === '' ? {} : { reference }), allow_unlikely_number: isMeant },
  })

/** Hands the draft over to be split, once, however often it is asked to. `onSent` hears what was accepted. */
export function useSendSplit({ draft, change }: ReturnType<typeof useDraft>, onSent: (accepted: SentFax[]) => void) {
  const handOver = async (file: File) => {
    // The same key again after a failure: what was accepted although its answer was lost is not sent twice.
    const splitKey = draft.splitKey ?? randomKey()
    change((present) => ({ ...present, splitKey, sending: true }))
    try {
      const { unreadable } = draft
      const fax = { file, tones: tonesOf(draft), unreadable, ...groupFieldOf(draft), ...coverFieldsOf(draft.cover) }
      const { faxes } = await client.splitFax({ form: fax }, { headers: { 'idempotency-key': splitKey } })
      const sent = faxes.map(({ id, to, status }) => ({ id, to, status }))
      // A log-out meanwhile has taken the draft away; nothing of it may come back.
      change((present) => (present.sending ? settleSplit(present, draft, sent) : present))
      return sent
    } catch (problem) {
      change((present) => ({ ...present, sending: false }))
      throw problem
    }
  }
  const { run, busy, error, reset } = useAction(handOver, {
    onDone: onSent,
    refreshes: [['jobs', 'newest'], ['health-status']],
  })
  const send = () => {
    const file = documentOf(draft)
    if (file && !draft.sending) run(file)
  }
  return { send, busy: busy || draft.sending, error, reset }
}
