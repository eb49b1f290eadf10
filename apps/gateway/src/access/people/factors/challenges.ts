import type { Database, Reader } from '../../../base/db/database.ts'
import type { ChallengePurpose, ChallengeRow } from '../../../base/db/tables/factors.ts'
import { hashToken, newToken } from '../sessions.ts'

const minute = 60_000
/** How long an answer may take. An app is set up, and half a sign-in finished, with a phone that is not at hand. */
const lastsMs: Readonly<Record<ChallengePurpose, number>> = {
  second_step: 10 * minute,
  totp_add: 15 * minute,
  passkey_sign_in: 5 * minute,
  passkey_step: 5 * minute,
  passkey_confirm: 5 * minute,
  passkey_add: 5 * minute,
}
/** Wrong codes are remembered for so long, also of half sign-ins that are over. */
export const rememberMs = 60 * minute

export type Subject = Partial<Pick<ChallengeRow, 'person_id' | 'session_id' | 'payload'>>

/** Waits for an answer. @returns what the answer has to name, of which only a hash is kept */
export async function openChallenge(
  db: Reader,
  purpose: ChallengePurpose,
  now: Date,
  { person_id = null, session_id = null, payload = null }: Subject,
) {
  const token = newToken()
  const expires_at = new Date(now.getTime() + lastsMs[purpose]).toISOString()
  const row = { sha256: hashToken(token), purpose, person_id, session_id, payload, wrong_tries: 0 }
  await db
    .insertInto('person_challenges')
    .values({ ...row, created_at: now.toISOString(), expires_at })
    .execute()
  return { token, expires_at }
}

const named = (purpose: ChallengePurpose, token: string, now: Date) =>
  ({ purpose, sha256: hashToken(token), now: now.toISOString() }) as const

/** What a token stands for, without using it up; undefined when it is over. */
export function findChallenge(db: Reader, purpose: ChallengePurpose, token: string, now: Date) {
  const { sha256, now: at } = named(purpose, token, now)
  const found = db.selectFrom('person_challenges').selectAll().where('sha256', '=', sha256)
  return found.where('purpose', '=', purpose).where('expires_at', '>', at).executeTakeFirst()
}

/** Uses a challenge up: of several who answer at once, one finds it. */
export function takeChallenge(db: Reader, purpose: ChallengePurpose, token: string, now: Date) {
  const { sha256, now: at } = named(purpose, token, now)
  const taken = db.deleteFrom('person_challenges').where('sha256', '=', sha256).where('purpose', '=', purpose)
  return taken.where('expires_at', '>', at).returningAll().executeTakeFirst()
}

/** Counts a try as wrong before it is compared. @returns whether the half sign-in is still there */
export async function countTry(db: Reader, token: string, by: 1 | -1): Promise<boolean> {
  const counted = db
    .updateTable('person_challenges')
    .set((eb) => ({ wrong_tries: eb('wrong_tries', '+', by) }))
    .where('sha256', '=', hashToken(token))
    .where('purpose', '=', 'second_step')
  return (await counted.executeTakeFirst()).numUpdatedRows > 0n
}

/** Wrong codes of a person within the last hour, counted by all processes together. */
export async function wrongTriesOf(db: Reader, personId: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - rememberMs).toISOString()
  const rows = db.selectFrom('person_challenges').select('wrong_tries').where('person_id', '=', personId)
  const found = await rows.where('purpose', '=', 'second_step').where('created_at', '>', since).execute()
  return found.reduce((sum, { wrong_tries: tries }) => sum + tries, 0)
}

/** Removes what nobody can answer any more. */
export async function removeOldChallenges({ db }: Pick<Database, 'db'>, now: Date): Promise<void> {
  const old = new Date(now.getTime() - rememberMs).toISOString()
  const over = db.deleteFrom('person_challenges').where('expires_at', '<=', now.toISOString())
  await over.where((eb) => eb.or([eb('created_at', '<=', old), eb('wrong_tries', '=', 0)])).execute()
}
