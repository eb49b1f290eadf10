import type { HeldFax } from '@faxdeck/contract'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { beforeAnAttempt } from './move.ts'

/**
 * Why nothing more is sent for a fax until a person releases it: our records are those of an earlier time, and it may
 * have been sent since. An attempt that was under way is followed as ever.
 */
export interface Hold {
  /** When it was held. */
  since: string
  /** The time our records are of. */
  as_of: string
  /** When providers were last asked for faxes to its number; null before the first time. */
  asked_at: string | null
  /** What they answered, in a sentence; null before the first time. */
  answer: string | null
  /** Faxes to its number since then that our records lack, oldest first. */
  found: HeldFax['found']
}

/** Null for a fax that is not held. */
export const holdOf = ({ hold }: Pick<FaxJobRow, 'hold'>): Hold | null =>
  hold === null ? null : (JSON.parse(hold) as Hold)

/**
 * A hold as it is kept. A fax that waited for a person in a backup may have been sent any time since it was first held.
 * @param asOf the time our records are of
 */
export function newHold(job: Pick<FaxJobRow, 'hold'>, asOf: Date, now: Date): string {
  const [as_of = asOf.toISOString()] = [asOf.toISOString(), holdOf(job)?.as_of ?? asOf.toISOString()].toSorted()
  return JSON.stringify({ since: now.toISOString(), as_of, asked_at: null, answer: null, found: [] } satisfies Hold)
}

/** Whether a fax waits for a person to release it. */
export const isHeld = ({ hold, phase }: Pick<FaxJobRow, 'hold' | 'phase'>): boolean =>
  hold !== null && beforeAnAttempt.includes(phase)

/** Whether a fax waits for another attempt, and not for a person. */
export const isBetweenAttempts = ({ hold, phase }: Pick<FaxJobRow, 'hold' | 'phase'>): boolean =>
  phase === 'waiting_retry' && hold === null

const reason =
  'Held: the database was restored from a backup, and this fax may have been sent since then. Nothing is sent until you release it.'

/** A hold as a person sees it; null for a fax that does not wait for one. */
export function presentHold(job: Pick<FaxJobRow, 'hold' | 'phase'>): HeldFax | null {
  const hold = isHeld(job) ? holdOf(job) : null
  if (!hold) return null
  const { since, as_of, asked_at, answer, found } = hold
  return { since, as_of, asked_at, sentence: answer === null ? reason : `${reason} ${answer}`, found }
}
