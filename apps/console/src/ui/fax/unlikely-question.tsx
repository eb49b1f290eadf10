import type { CallProblem } from '@faxdeck/contract/client'
import { Confirm } from '../overlay/dialog.tsx'

/** A number that is most likely nobody's, and why. */
export interface Doubt {
  to: string
  reason: string
}

/** What the gateway says of the numbers, when that is why it refused a call; nothing otherwise. */
export function doubtsIn(problem: CallProblem | Error | null): Doubt[] {
  const answer = problem && 'answer' in problem ? problem.answer : undefined
  if (answer?.code !== 'number_unlikely') return []
  return (answer.fields ?? []).map(({ field, message }) => ({ to: field, reason: message }))
}

/** So many are named: more are for the list itself. */
const maxNamed = 10

export function DoubtList({
  doubts,
  name = ({ to }) => to,
}: {
  doubts: readonly Doubt[]
  name?: (doubt: Doubt) => string
}) {
  const more = doubts.length - maxNamed
  return (
    <ul>
      {doubts.slice(0, maxNamed).map((doubt, at) => (
        <li key={at}>
          {name(doubt)}: {doubt.reason}
        </li>
      ))}
      {more > 0 && <li>{more} more</li>}
    </ul>
  )
}

interface Props {
  doubts: readonly Doubt[]
  action?: { busy: boolean; error?: Error | null }
  /** What is done with the number; to dial it when it is not said. */
  verb?: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks before a number is dialed that is most likely nobody's. */
export function UnlikelyQuestion({ doubts, verb = 'Dial anyway', action, onConfirm, onClose }: Props) {
  const [first, ...more] = doubts
  if (!first) return null
  const title =
    more.length === 0 ? `${first.reason} ${verb}?` : `${verb}? ${doubts.length} numbers most likely don’t exist.`
  return (
    <Confirm title={title} verb={verb} onConfirm={onConfirm} onClose={onClose} {...(action && { action })}>
      {more.length > 0 && <DoubtList doubts={doubts} />}
      <p>A fax to a wrong number can reach a stranger. Check it digit by digit.</p>
    </Confirm>
  )
}
