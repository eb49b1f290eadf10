import { type Kysely, sql } from 'kysely'
import type { Tx } from '../../../base/db/database.ts'
import type { FaxUploadRow } from '../../../base/db/tables/requests.ts'
import type { Tables } from '../../../base/db/tables/tables.ts'
import { uploadIsHeld } from '../../../paper/retention/held.ts'

type Db = Kysely<Tables>

/** One that is still good, of this caller. */
export const findUpload = (db: Db, id: string, callerKeyId: string, now: Date): Promise<FaxUploadRow | undefined> =>
  db
    .selectFrom('fax_uploads')
    .selectAll()
    .where('id', '=', id)
    .where('caller_key_id', '=', callerKeyId)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()

export async function countUploads(db: Db, callerKeyId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('fax_uploads')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('caller_key_id', '=', callerKeyId)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const insertUpload = (db: Db, row: FaxUploadRow) => db.insertInto('fax_uploads').values(row).execute()

export const listOverdue = (db: Db, now: Date, limit: number) =>
  db
    .selectFrom('fax_uploads')
    .select(['id', 'document_key'])
    .where('expires_at', '<=', now.toISOString())
    .where(sql<boolean>`not ${uploadIsHeld}`)
    .limit(limit)
    .execute()

/** @returns whether it was there and no hold keeps it */
export async function removeUpload(tx: Tx, id: string): Promise<boolean> {
  const unheld = tx
    .deleteFrom('fax_uploads')
    .where('id', '=', id)
    .where(sql<boolean>`not ${uploadIsHeld}`)
  return (await unheld.executeTakeFirst()).numDeletedRows > 0n
}
