import type { FailureKind, StatusUpdate } from '@faxdeck/provider-kit'

/** What a provider's status word means here. */
export interface Meaning {
  state: StatusUpdate['state']
  kind?: FailureKind
}

const failed = (kind: FailureKind): Meaning => ({ state: 'failed', kind })

/** The words a manifest may translate a provider's status words to. The kind of a failure decides about another attempt. */
const meanings = new Map<string, Meaning>(
  Object.entries({
    queued: { state: 'queued' },
    in_progress: { state: 'in_progress' },
    sending: { state: 'in_progress' },
    success: { state: 'delivered' },
    completed: { state: 'delivered' },
    delivered: { state: 'delivered' },
    failed: failed('rejected'),
    error: failed('rejected'),
    rejected: failed('rejected'),
    busy: failed('busy'),
    no_answer: failed('no_answer'),
    line_error: failed('line_error'),
    bad_number: failed('bad_number'),
    bad_document: failed('bad_document'),
    partial: failed('partial'),
    cancelled: failed('cancelled'),
  }),
)

export const knownWords: readonly string[] = [...meanings.keys()]
export const meaningOf = (word: string): Meaning | undefined => meanings.get(word.trim().toLowerCase())

/** Of a manifest's map: what a provider's word means. A word that is not in it is in progress, never a success. */
export function readWord(map: Readonly<Record<string, string>>, word: string): Meaning {
  const said = word.trim().toLowerCase()
  const ours = Object.entries(map).find(([theirs]) => theirs.trim().toLowerCase() === said)?.[1]
  return (ours !== undefined && meaningOf(ours)) || { state: 'in_progress' }
}
