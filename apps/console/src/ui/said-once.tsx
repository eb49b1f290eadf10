import { useState } from 'react'

interface Props {
  /** Changes with each act of the person, and with nothing else. */
  act: unknown
  /** Whether the words are about that act yet. */
  isSettled: boolean
  words: string
}

/**
 * Says one line to a screen reader after an act of the person, and nothing when the words change by themselves
 * afterwards: a list that lives would speak without an end. Nothing is said before the first act.
 */
export function SaidOnce({ act, isSettled, words }: Props) {
  const [said, setSaid] = useState({ act, words: '' })
  if (isSettled && said.act !== act) setSaid({ act, words })
  return (
    <span className="unseen" role="status">
      {said.words}
    </span>
  )
}
