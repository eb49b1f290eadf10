import type { Draft } from '../draft.ts'
import type { useSubmission } from '../use-submission.ts'
import type { useDraft } from '../use-draft.ts'
import { withoutNumbers } from './recipient-list.ts'
import { useNumberCheck } from './use-number-check.ts'

/** Without the numbers that cannot be dialed, and without the unlikely ones unless they are to be. */
function chosenOf(draft: Draft, left: ReadonlyMap<string, string>, meant: readonly string[]): Draft {
  const { list, typed } = draft
  if (!list) return draft
  const chosen = { ...draft, meant: [...new Set([...draft.meant, ...meant])] }
  // Another list is another broadcast.
  const isWhole = left.size === 0 && chosen.meant.length === draft.meant.length
  if (isWhole) return draft
  return { ...chosen, list: withoutNumbers(list, left), typed: left.has(typed) ? '' : typed, broadcastKey: undefined }
}

/** Sends the draft, once the gateway and, where it has doubts about a number, a person have said that it is right. */
export function useAsking(
  { draft, change }: ReturnType<typeof useDraft>,
  { splits, sendSplit, sendEach, sendBroadcast, ...submission }: ReturnType<typeof useSubmission>,
) {
  const { ask, found, close, ...check } = useNumberCheck(draft, () => sendEach())
  const confirmEach = () => {
    const meant = [...draft.meant, ...(found?.unlikely ?? []).map(({ to }) => to)]
    change((present) => ({ ...present, meant }))
    close()
    sendEach(meant)
  }
  const confirmBroadcast = (dials: boolean) => {
    const { invalid = [], unlikely = [] } = found ?? {}
    const left = [...invalid, ...(dials ? [] : unlikely)].map(({ to, reason }) => [to, reason] as const)
    close()
    sendBroadcast(chosenOf(draft, new Map(left), dials ? unlikely.map(({ to }) => to) : []))
  }
  return {
    send: () => (splits ? sendSplit() : ask()),
    busy: check.busy || submission.busy,
    error: check.error ?? submission.error,
    found,
    close,
    confirmEach,
    confirmBroadcast,
  }
}
