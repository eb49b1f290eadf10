import type { Tx } from '../db/database.ts'
import { removeCodesOf } from './store.ts'

/** Ends the pairing codes that a key made: its holder would get a key of their own for it. */
export async function endCodesOf(tx: Tx, keyId: string): Promise<void> {
  await removeCodesOf(tx, keyId)
}
