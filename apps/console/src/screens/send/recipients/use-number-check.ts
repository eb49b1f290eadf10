import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import type { Doubt } from '../../../ui/fax/unlikely-question.tsx'
import { type Draft, recipientsOf } from '../draft.ts'

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
export function useNumberCheck(draft: Draft, onGood: (found: NumberCheck) => void) {
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
