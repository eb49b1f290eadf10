import type { Tx } from '../../base/db/database.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { personIdOf } from './person-id.ts'

/** Whether a person is still in, which they stay until this transaction has ended: to suspend them waits for that. */
export async function holdPerson(tx: Tx, id: string): Promise<boolean> {
  const held = tx.updateTable('people').set({ suspended: 0 }).where('id', '=', id).where('suspended', '=', 0)
  return (await held.executeTakeFirst()).numUpdatedRows > 0n
}

/** Whether a key is still good, which it stays until this transaction has ended: to revoke it waits for that. */
async function holdGood(tx: Tx, keyId: string, now: string): Promise<boolean> {
  const held = tx.updateTable('api_keys').set({ revoked_at: null }).where('key_id', '=', keyId)
  const unexpired = held.where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
  return (await unexpired.where('revoked_at', 'is', null).executeTakeFirst()).numUpdatedRows > 0n
}

/**
 * Holds the issuer of a token until the transaction has ended: a key in the list, a person, or the first key.
 * @throws {Problem} `unauthorized` for one that has ended since the call was admitted, and for anybody else
 */
export async function assertIssuer(tx: Tx, actorId: string, now: Date): Promise<void> {
  if (actorId === 'bootstrap') return
  const person = personIdOf(actorId)
  const isGood = person === undefined ? await holdGood(tx, actorId, now.toISOString()) : await holdPerson(tx, person)
  if (!isGood) throw new Problem('unauthorized')
}

/**
 * Holds the key or person of a call until its transaction has ended: what it saves is either refused, or found when the
 * caller is revoked.
 * @param actorId also of what is no key in the list: the first one, a start, the holder of a token
 * @throws {Problem} `unauthorized` when it has ended since the call was admitted
 */
export async function assertStillGood(tx: Tx, actorId: string, now: Date): Promise<void> {
  if (/^[0-9a-f]{12}$/.test(actorId) || personIdOf(actorId) !== undefined) await assertIssuer(tx, actorId, now)
}
