import type { Kysely } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { OidcLoginRow, PersonIdentityRow, PersonRow } from '../../db/tables/people.ts'
import type { Tables } from '../../db/tables/tables.ts'

type Reader = Kysely<Tables> | Tx

export async function insertLogin(db: Reader, row: OidcLoginRow): Promise<void> {
  await db.insertInto('oidc_logins').values(row).execute()
}

/** Takes a sign-in that began in this browser: only one caller gets it, and only once. */
export function takeLogin(
  db: Reader,
  stateSha256: string,
  browserSha256: string,
  now: string,
): Promise<OidcLoginRow | undefined> {
  const taken = db.deleteFrom('oidc_logins').where('state_sha256', '=', stateSha256)
  return taken
    .where('browser_sha256', '=', browserSha256)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

export async function removeStaleLogins(db: Reader, now: string): Promise<void> {
  await db.deleteFrom('oidc_logins').where('expires_at', '<=', now).execute()
}

export function findByIdentity(db: Reader, issuer: string, subject: string): Promise<PersonRow | undefined> {
  return db
    .selectFrom('people')
    .innerJoin('person_identities', 'person_identities.person_id', 'people.id')
    .selectAll('people')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function hasIdentity(db: Reader, personId: string, issuer: string): Promise<boolean> {
  const identities = db.selectFrom('person_identities').select('subject').where('person_id', '=', personId)
  return (await identities.where('issuer', '=', issuer).executeTakeFirst()) !== undefined
}

export async function insertIdentity(tx: Tx, row: PersonIdentityRow): Promise<void> {
  await tx.insertInto('person_identities').values(row).execute()
}

export async function keepIdToken(tx: Tx, sessionId: string, sealed: string): Promise<void> {
  await tx.updateTable('person_sessions').set({ id_token: sealed }).where('id', '=', sessionId).execute()
}
