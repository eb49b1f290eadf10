import type { Tx, Reader } from '../../base/db/database.ts'
import type { PersonRow } from '../../base/db/tables/people.ts'

/** What email addresses are compared by: spelled alike, they are one (Unicode TR 36, 2.2). */
export const emailKeyOf = (email: string): string => email.trim().normalize('NFKC').toLowerCase()

export async function hasPeople(db: Reader): Promise<boolean> {
  return (await db.selectFrom('people').select('id').limit(1).executeTakeFirst()) !== undefined
}

export function listPeople(db: Reader): Promise<PersonRow[]> {
  return db.selectFrom('people').selectAll().orderBy('name').orderBy('id').execute()
}

export function findPerson(db: Reader, id: string): Promise<PersonRow | undefined> {
  return db.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findByEmail(db: Reader, email: string): Promise<PersonRow | undefined> {
  return db.selectFrom('people').selectAll().where('email_key', '=', emailKeyOf(email)).executeTakeFirst()
}

/** The person of a link that can be used now. */
export function findByLink(db: Reader, sha256: string, now: string): Promise<PersonRow | undefined> {
  const people = db.selectFrom('people').selectAll().where('link_sha256', '=', sha256)
  return people.where('link_expires_at', '>', now).where('suspended', '=', 0).executeTakeFirst()
}

/** @returns whether the email address was free */
export async function insertPerson(tx: Tx, row: PersonRow): Promise<boolean> {
  const inserted = tx
    .insertInto('people')
    .values(row)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
  return ((await inserted.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

export function updatePerson(tx: Tx, id: string, changes: Partial<PersonRow>): Promise<PersonRow | undefined> {
  return tx.updateTable('people').set(changes).where('id', '=', id).returningAll().executeTakeFirst()
}

/** Uses a link up. @returns the person; undefined when somebody else was faster, or it has expired */
export function useLink(tx: Tx, sha256: string, now: string, password_hash: string): Promise<PersonRow | undefined> {
  return tx
    .updateTable('people')
    .set({ password_hash, link_sha256: null, link_expires_at: null, link_by: null })
    .where('link_sha256', '=', sha256)
    .where('link_expires_at', '>', now)
    .where('suspended', '=', 0)
    .returningAll()
    .executeTakeFirst()
}
