import type { Tx, Reader } from '../../base/db/database.ts'
import type { ApiKeyRow } from '../../base/db/tables/keys.ts'

const live = (db: Reader) => db.selectFrom('api_keys').selectAll().where('revoked_at', 'is', null)

export async function listKeys(db: Reader): Promise<ApiKeyRow[]> {
  return live(db).orderBy('created_at', 'desc').orderBy('key_id').execute()
}

export async function findKey(db: Reader, keyId: string): Promise<ApiKeyRow | undefined> {
  return live(db).where('key_id', '=', keyId).executeTakeFirst()
}

export async function hasKeys(db: Reader): Promise<boolean> {
  return (
    (await db.selectFrom('api_keys').select('key_id').where('revoked_at', 'is', null).limit(1).execute()).length > 0
  )
}

export async function insertKey(tx: Tx, row: ApiKeyRow): Promise<void> {
  await tx.insertInto('api_keys').values(row).execute()
}

/** Replaces the secret of a live key; undefined when there is none. */
export async function replaceSecret(tx: Tx, keyId: string, sha256: string): Promise<ApiKeyRow | undefined> {
  const changed = tx.updateTable('api_keys').set({ secret_sha256: sha256, last_used_at: null })
  return changed.where('key_id', '=', keyId).where('revoked_at', 'is', null).returningAll().executeTakeFirst()
}

/** Ends a live key. Answers whether there was one. */
export async function revokeKey(tx: Tx, keyId: string, at: string): Promise<boolean> {
  const ended = tx.updateTable('api_keys').set({ revoked_at: at })
  const { numUpdatedRows } = await ended.where('key_id', '=', keyId).where('revoked_at', 'is', null).executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function touchKey(db: Reader, keyId: string, at: string): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: at }).where('key_id', '=', keyId).execute()
}

/** Gives an imported key our hash in place of the one it came with, unless it was replaced meanwhile. */
export async function adoptSecret(
  db: Reader,
  keyId: string,
  { kept, sha256 }: { kept: string; sha256: string },
): Promise<void> {
  const changed = db.updateTable('api_keys').set({ secret_sha256: sha256 })
  await changed.where('key_id', '=', keyId).where('secret_sha256', '=', kept).execute()
}
