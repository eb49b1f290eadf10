import type { StatusUpdate } from '@faxdeck/provider-kit'
import { findRow } from '../db/rows.ts'
import type { FaxAttemptRow } from '../db/tables.ts'
import { advance } from './advance.ts'
import type { FaxDoors } from './doors.ts'
import type { Move } from './move.ts'
import { afterUncertain } from './reconcile.ts'

/** The attempt a provider speaks of: by our reference, else by its own id. */
async function findAttempt(
  doors: FaxDoors,
  provider: string,
  update: StatusUpdate,
): Promise<FaxAttemptRow | undefined> {
  const { attemptId, providerId } = update
  if (attemptId !== undefined) return findRow(doors.database.db, 'fax_attempts', { provider, id: attemptId })
  if (providerId === undefined) return undefined
  const ofProvider = doors.database.db.selectFrom('fax_attempts').selectAll().where('provider', '=', provider)
  return ofProvider.where('provider_id', '=', providerId).orderBy('started_at', 'desc').executeTakeFirst()
}

const failedWithoutReason = 'The provider reported a failure without a reason.'

/** A provider's word as a move. A failure of no known kind is not tried again by itself. */
function moveOf(attempt: FaxAttemptRow, update: StatusUpdate, now: Date): Move | undefined {
  const attemptId = attempt.id
  const providerId = update.providerId ?? attempt.provider_id ?? undefined
  const word = update.word === undefined ? {} : { word: update.word }
  switch (update.state) {
    case 'queued':
    case 'in_progress':
      return providerId === undefined ? undefined : { to: 'accepted', attemptId, providerId, ...word }
    case 'delivered':
      return { to: 'delivered', attemptId, providerId, pagesConfirmed: update.pagesConfirmed ?? null, ...word }
    case 'failed': {
      const { kind = 'rejected', sentence = failedWithoutReason, pagesConfirmed = null } = update
      if (kind === 'uncertain') return { to: 'uncertain', attemptId, sentence, lookAgain: afterUncertain(now) }
      return { to: 'failed', attemptId, providerId, kind, sentence, pagesConfirmed, ...word }
    }
  }
}

/**
 * Records what a provider tells of a fax: by callback, by poll, or over an open line. Safe to repeat.
 * @returns false when no fax of ours is meant
 */
export async function report(doors: FaxDoors, provider: string, update: StatusUpdate): Promise<boolean> {
  const attempt = await findAttempt(doors, provider, update)
  if (!attempt) return false
  const move = moveOf(attempt, update, doors.now())
  if (move) await advance(doors, attempt.job_id, move)
  return true
}
