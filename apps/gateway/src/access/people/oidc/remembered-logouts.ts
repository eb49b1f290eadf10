import type { Database, Tx } from '../../../base/db/database.ts'
import { lockUntilEnd } from '../../../base/db/advisory-lock.ts'
import { hashToken } from '../sessions.ts'
import { longestAgeSeconds } from './logout-token.ts'
import type { LoggedOut } from './store.ts'

/** "FAXOUT" as a number: nothing else of ours locks it. */
const lockId = 77_246_468_412_756

/** Longer than any token that was taken is good, and than any sign-in takes. */
const rememberedMs = 4 * longestAgeSeconds * 1000

/** Until when something is remembered of which the provider says when it was. @param seconds since 1970 */
const untilOf = (seconds: number): string => new Date(seconds * 1000 + rememberedMs).toISOString()

export const rememberedUntil = (now: Date): string => untilOf(now.getTime() / 1000)

/** A sign-in (`shared`) and a logout (`alone`) do not overlap: either the logout finds the session, or the sign-in the logout. */
export const lockLogouts = (tx: Tx, engine: Database['engine'], manner: 'shared' | 'alone'): Promise<void> =>
  lockUntilEnd(tx, engine, lockId, manner)

/** What was signed out: one session there, all of a person, or those of a person of which it is not known. */
const named = (what: 'session' | 'all' | 'unknown', issuer: string, id: string): string =>
  hashToken(`logout of ${what} ${issuer} ${id}`)

function namesOf({ issuer, subject, sid }: LoggedOut): string[] {
  const ofPerson = subject === undefined ? [] : [named(sid === undefined ? 'all' : 'unknown', issuer, subject)]
  return sid === undefined ? ofPerson : [named('session', issuer, sid), ...ofPerson]
}

/** Remembers a logout, for whoever is just signing in and has no session yet. @param issuedAt of its token, in seconds */
export async function rememberLogout(tx: Tx, loggedOut: LoggedOut, issuedAt: number): Promise<void> {
  const expires_at = untilOf(issuedAt)
  const rows = namesOf(loggedOut).map((token_sha256) => ({ token_sha256, expires_at }))
  await tx
    .insertInto('oidc_logouts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('token_sha256').doUpdateSet({ expires_at }).where('oidc_logouts.expires_at', '<', expires_at),
    )
    .execute()
}

interface SigningIn {
  issuer: string
  subject: string
  sid: string | null
  /** In seconds. */
  issuedAt: number
}

/** Whether the session at the provider is over, or somebody has signed out there since their ID token was issued. */
export async function hasLoggedOut(tx: Tx, { issuer, subject, sid, issuedAt }: SigningIn): Promise<boolean> {
  const ofPerson = [named('all', issuer, subject), ...(sid === null ? [named('unknown', issuer, subject)] : [])]
  const found = tx
    .selectFrom('oidc_logouts')
    .select('token_sha256')
    .where((eb) =>
      eb.or([
        eb('token_sha256', '=', sid === null ? '' : named('session', issuer, sid)),
        eb.and([eb('token_sha256', 'in', ofPerson), eb('expires_at', '>=', untilOf(issuedAt))]),
      ]),
    )
  return (await found.executeTakeFirst()) !== undefined
}
