import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import type { Doubt } from '../../../ui/fax/unlikely-question.tsx'
import { type Draft, recipientsOf } from '../draft.ts'
import type { useDraft } from '../use-draft.ts'
import type { useSubmission } from '../use-submission.ts'
import { withoutNumbers } from './recipient-list.ts'

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

/** What the gateway says of the numbers of a draft before they are dialed. */
export interface NumberCheck {
  invalid: readonly Doubt[]
  unlikely: readonly Doubt[]
}

const noDoubts: NumberCheck = { invalid: [], unlikely: [] }

/**
 * Asks the gateway about the numbers of a draft that nobody has confirmed yet. `onGood` goes on when there is nothing to
 * ask; otherwise `found` holds what to ask about.
 */
function useNumberCheck(draft: Draft, onGood: (found: NumberCheck) => void) {
  const [found, setFound] = useState<NumberCheck>()
  const asked = recipientsOf(draft).filter((to) => !draft.meant.includes(to))
  const hear = (doubts: NumberCheck) => {
    // A single number that cannot be dialed is refused with its reason when it is sent.
    if (draft.list === undefined && doubts.unlikely.length === 0) onGood(doubts)
    else setFound(doubts)
  }
  const { run, busy, error } = useAction((numbers: string[]) => client.checkNumbers({ body: { numbers } }), {
    onDone: hear,
  })
  const ask = () => {
    if (asked.length > 0) run(asked)
    else hear(noDoubts)
  }
  return { ask, busy, error, found, close: () => setFound(undefined) }
}
