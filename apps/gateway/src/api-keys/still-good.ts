import type { Tx } from '../db/database.ts'
import { Problem } from '../http/answers/problem.ts'
import { personIdOf } from '../people/person-id.ts'
import { holdPerson } from '../people/still-in.ts'
import { holdGood } from './store.ts'

/**
 * Holds whoever gives out a token until the transaction has ended: a key in the list, a person, or the first key.
 * @throws {Problem} `unauthorized` for one that has ended since the call was admitted, and for anybody else
 */
export async function assertIssuer(tx: Tx, actorId: string, now: Date): Promise<void> {
  if (actorId === 'bootstrap') return
  const person = personIdOf(actorId)
  const isGood = person === undefined ? await holdGood(tx, actorId, now.toISOString()) : await holdPerson(tx, person)
  if (!isGood) throw new Problem('unauthorized')
}

/**
 * Holds the key or person of a call until its transaction has ended: what it saves is either refused or found by whoever
 * revokes it.
 * @param actorId also of what is no key in the list: the first one, a start, the holder of a token
 * @throws {Problem} `unauthorized` when it has ended since the call was admitted
 */
export async function assertStillGood(tx: Tx, actorId: string, now: Date): Promise<void> {
  if (/^[0-9a-f]{12}$/.test(actorId) || personIdOf(actorId) !== undefined) await assertIssuer(tx, actorId, now)
}
