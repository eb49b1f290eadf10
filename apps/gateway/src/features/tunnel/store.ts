import { sql } from 'kysely'
import type { Tx } from '../../base/db/database.ts'
import type { PairingCodeRow } from '../../base/db/tables/keys.ts'

/** Keeps a code; every earlier one ends. */
export async function keepCode(tx: Tx, row: PairingCodeRow): Promise<void> {
  await tx.deleteFrom('pairing_codes').execute()
  await tx.insertInto('pairing_codes').values(row).execute()
}

/** Ends the codes that a key made. */
export async function removeCodesOf(tx: Tx, keyId: string): Promise<void> {
  await tx.deleteFrom('pairing_codes').where('created_by', '=', keyId).execute()
}

/** The codes that are neither used nor expired; one, or none. */
export async function liveCodes(tx: Tx, now: string): Promise<PairingCodeRow[]> {
  return tx.selectFrom('pairing_codes').selectAll().where('expires_at', '>', now).execute()
}

/** Uses a code up. False when somebody else just did. */
export async function useCode(tx: Tx, sha256: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('pairing_codes').where('code_sha256', '=', sha256).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Counts a wrong try against every code there is; one that was tried too often ends. */
export async function countWrongTry(tx: Tx, max: number): Promise<void> {
  await tx
    .updateTable('pairing_codes')
    .set({ wrong_tries: sql<number>`wrong_tries + 1` })
    .execute()
  await tx.deleteFrom('pairing_codes').where('wrong_tries', '>=', max).execute()
}
