import type { Tx } from '../db/database.ts'
import { Problem } from '../http/problem.ts'
import { holdGood } from './store.ts'

/**
 * Holds the key of a call until its transaction has ended: what it saves is either refused or found by whoever revokes it.
 * @param keyId also of what is no key in the list: the first one, a start, the holder of a token
 * @throws {Problem} `unauthorized` when it has ended since the call was admitted
 */
export async function assertStillGood(tx: Tx, keyId: string, now: Date): Promise<void> {
  if (/^[0-9a-f]{12}$/.test(keyId) && !(await holdGood(tx, keyId, now.toISOString()))) throw new Problem('unauthorized')
}
