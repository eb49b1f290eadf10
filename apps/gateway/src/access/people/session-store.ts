import type { Tx, Reader } from '../../base/db/database.ts'
import type { PersonRow, PersonSessionRow } from '../../base/db/tables/people.ts'

/** A session with as much of its person as decides what they may do. */
export type SessionOfPerson = PersonSessionRow & Pick<PersonRow, 'name' | 'role'>

/** When a session began at the latest to be over by now: by its length, and by idleness. */
export interface Bounds {
  createdAfter: string
  activeAfter: string
}

const live = (db: Reader, { createdAfter, activeAfter }: Bounds) =>
  db
    .selectFrom('person_sessions')
    .innerJoin('people', 'people.id', 'person_sessions.person_id')
    .selectAll('person_sessions')
    .select(['people.name', 'people.role'])
    .where('people.suspended', '=', 0)
    .where('person_sessions.created_at', '>', createdAfter)
    .where('person_sessions.active_at', '>', activeAfter)

/** The session of a token, or of the token before. */
export async function findSession(db: Reader, sha256: string, bounds: Bounds): Promise<SessionOfPerson | undefined> {
  const found = await live(db, bounds).where('token_sha256', '=', sha256).executeTakeFirst()
  return found ?? live(db, bounds).where('previous_sha256', '=', sha256).executeTakeFirst()
}

export function listSessions(db: Reader, bounds: Bounds, personId?: string): Promise<SessionOfPerson[]> {
  let sessions = live(db, bounds).orderBy('person_sessions.created_at', 'desc').orderBy('person_sessions.id')
  if (personId !== undefined) sessions = sessions.where('person_id', '=', personId)
  return sessions.execute()
}

export async function insertSession(tx: Tx, row: PersonSessionRow): Promise<void> {
  await tx.insertInto('person_sessions').values(row).execute()
}

/** The person was there at this time. An earlier one changes nothing: calls may overtake each other. */
export async function touchSession(db: Reader, id: string, at: string): Promise<void> {
  await db
    .updateTable('person_sessions')
    .set({ active_at: at })
    .where('id', '=', id)
    .where('active_at', '<', at)
    .execute()
}

/** Puts another token in the place of one. @returns whether nobody else did so first */
export async function rotateSession(
  db: Reader,
  from: string,
  next: Pick<PersonSessionRow, 'token_sha256' | 'rotated_at' | 'previous_until'>,
): Promise<boolean> {
  const rotated = db.updateTable('person_sessions').set({ ...next, previous_sha256: from })
  return (await rotated.where('token_sha256', '=', from).executeTakeFirst()).numUpdatedRows > 0n
}

/** Ends sessions of a person, and with others than one of them also what is half signed in. @param which one of them only, or all but one @returns how many there were */
export async function endSessions(
  tx: Tx,
  personId: string,
  which: { only?: string; except?: string } = {},
): Promise<number> {
  let ended = tx.deleteFrom('person_sessions').where('person_id', '=', personId)
  if (which.only !== undefined) ended = ended.where('id', '=', which.only)
  if (which.except !== undefined) ended = ended.where('id', '!=', which.except)
  if (which.only === undefined) {
    const half = tx.deleteFrom('person_challenges').where('person_id', '=', personId)
    await half.where('purpose', 'in', ['second_step', 'passkey_step']).where('wrong_tries', '=', 0).execute()
    const over = tx.updateTable('person_challenges').set({ expires_at: '' }).where('person_id', '=', personId)
    await over.where('purpose', '=', 'second_step').execute()
  }
  return Number((await ended.executeTakeFirst()).numDeletedRows)
}

/** A session of a person, also within the transaction that depends on it. */
export function findOpen(db: Reader, bounds: Bounds, id: string): Promise<SessionOfPerson | undefined> {
  return live(db, bounds).where('person_sessions.id', '=', id).executeTakeFirst()
}

/** Its person has proved once more who they are. */
export async function confirmSession(db: Reader, id: string, at: string): Promise<void> {
  await db.updateTable('person_sessions').set({ confirmed_at: at }).where('id', '=', id).execute()
}

/** Its person has set up a second factor, and may now do what their role allows. */
export async function releaseSession(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('person_sessions').set({ must_enrol: 0 }).where('id', '=', id).execute()
}

/** Removes what nobody can use any more. */
export async function removeOver(db: Reader, { createdAfter, activeAfter }: Bounds): Promise<void> {
  const over = db.deleteFrom('person_sessions')
  await over.where((eb) => eb.or([eb('created_at', '<=', createdAfter), eb('active_at', '<=', activeAfter)])).execute()
}
