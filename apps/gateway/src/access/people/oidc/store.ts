import type { Tx, Reader } from '../../../base/db/database.ts'
import type {
  OidcLoginRow,
  OidcLogoutRow,
  PersonIdentityRow,
  PersonRow,
  PersonSessionRow,
} from '../../../base/db/tables/people.ts'

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
  await db.deleteFrom('oidc_logouts').where('expires_at', '<=', now).execute()
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

/** Notes what a session has to do with one at the provider. */
export async function keepOrigin(
  tx: Tx,
  sessionId: string,
  origin: Pick<PersonSessionRow, 'id_token' | 'oidc_sid'>,
): Promise<void> {
  await tx.updateTable('person_sessions').set(origin).where('id', '=', sessionId).execute()
}

/** Takes a logout token. @returns false when it was taken before */
export async function takeLogout(tx: Tx, row: OidcLogoutRow): Promise<boolean> {
  const taken = tx.insertInto('oidc_logouts').values(row)
  return (await taken.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()).numInsertedOrUpdatedRows === 1n
}

/** Which sessions of ours a logout at the provider is about. */
export interface LoggedOut {
  issuer: string
  /** All of the person's, or with `sid` those of one session there. */
  subject: string | undefined
  sid: string | undefined
}

/**
 * Ends the sessions that came from the provider's. One of which it is not known ends with every logout of its person.
 * @returns whose they were, one for each
 */
export async function endFromProvider(tx: Tx, { issuer, subject, sid }: LoggedOut): Promise<PersonRow[]> {
  let sessions = tx
    .selectFrom('person_sessions')
    .innerJoin('person_identities as identity', 'identity.person_id', 'person_sessions.person_id')
    .innerJoin('people', 'people.id', 'person_sessions.person_id')
    .selectAll('people')
    .select('person_sessions.id as session')
    .where('person_sessions.how', '=', 'oidc')
    .where('identity.issuer', '=', issuer)
  if (subject !== undefined) sessions = sessions.where('identity.subject', '=', subject)
  if (sid !== undefined) {
    sessions = sessions.where((eb) => {
      const isOfIt = eb('oidc_sid', '=', sid)
      return subject === undefined ? isOfIt : eb.or([isOfIt, eb('oidc_sid', 'is', null)])
    })
  }
  const found = await sessions.execute()
  const ids = found.map(({ session }) => session)
  if (ids.length > 0) await tx.deleteFrom('person_sessions').where('id', 'in', ids).execute()
  return found
}
