import { permissionsOfRole } from '@faxdeck/contract'
import { assertStillGood } from '../api-keys/still-good.ts'
import type { GatewayContext } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { PersonRow } from '../db/tables/people.ts'
import { transact } from '../db/transact.ts'
import { Problem } from '../http/problem.ts'
import { assertStrong, hashPassword, isPassword } from './password.ts'
import { actorIdOf, personIdOf } from './person-id.ts'
import { endSessions } from './session-store.ts'
import { hashToken, type Place, type Sessions } from './sessions.ts'
import { holdPerson } from './still-in.ts'
import { emailKeyOf, findByEmail, findByLink, findPerson, updatePerson, useLink } from './store.ts'
import type { SignInThrottle } from './throttle.ts'

export interface SignInParts {
  sessions: Sessions
  throttle: SignInThrottle
}

/** Who acts in what is recorded about a person who acts for themselves. */
export const bySelf = ({ id, name }: Pick<PersonRow, 'id' | 'name'>) => ({
  key_id: actorIdOf(id),
  person: id,
  name,
})

/** @throws {Problem} `sign_in_refused` alike, and after as long, for a wrong password and for somebody who may not sign in */
export async function signIn(
  context: GatewayContext,
  { sessions, throttle }: SignInParts,
  { email, password, ...place }: { email: string; password: string } & Place,
) {
  const { database, events, now } = context
  const attempt = throttle.begin(emailKeyOf(email), place.address)
  const person = await findByEmail(database.db, email)
  const hash = person && person.suspended === 0 ? person.password_hash : null
  const isRight = await isPassword(password, hash)
  const opened =
    person && isRight
      ? await transact(database, async (tx) => {
          // The password may have been changed, or the person suspended, while it was compared.
          const isHeld = await holdPerson(tx, person.id)
          const current = await findByEmail(tx, email)
          if (!isHeld || current?.password_hash !== hash) return undefined
          const { token, row } = await sessions.open(tx, person.id, place)
          await updatePerson(tx, person.id, { last_sign_in_at: now().toISOString() })
          await events.personSignedIn({ ...bySelf(person), address: place.address }, tx)
          return { token, row, person }
        })
      : undefined
  if (opened) {
    attempt.succeeded()
    return opened
  }
  // What was typed is not recorded: it may be a password in the wrong field.
  await events.signInFailed({ person: person?.id ?? null, address: place.address })
  throw new Problem('sign_in_refused')
}

/** The person of a link. @throws {Problem} `invitation_refused` */
export async function requireInvited({ database, now }: GatewayContext, token: string): Promise<PersonRow> {
  const person = await findByLink(database.db, hashToken(token), now().toISOString())
  if (!person) throw new Problem('invitation_refused')
  return person
}

/**
 * Holds whoever made a link: it lets nobody in once they are suspended, revoked or no administrator any more.
 * @throws {Problem} `invitation_refused`
 */
async function assertMaker(tx: Tx, maker: string | null, now: Date): Promise<void> {
  if (maker === null) return
  await assertStillGood(tx, maker, now).catch((error: unknown) => {
    throw error instanceof Problem ? new Problem('invitation_refused') : error
  })
  const id = personIdOf(maker)
  const person = id === undefined ? undefined : await findPerson(tx, id)
  if (person && !permissionsOfRole(person.role).has('manage_people')) throw new Problem('invitation_refused')
}

/** Chooses a password with a link, and signs in. Sessions from before end: somebody else may know the old password. */
export async function acceptInvitation(
  context: GatewayContext,
  { sessions }: SignInParts,
  { token, password, ...place }: { token: string; password: string } & Place,
) {
  const { database, events, now } = context
  const invited = await requireInvited(context, token)
  assertStrong(password, invited)
  const hash = await hashPassword(password)
  return transact(database, async (tx) => {
    const at = now().toISOString()
    const { link_by: maker } = (await findByLink(tx, hashToken(token), at)) ?? { link_by: null }
    await assertMaker(tx, maker, now())
    const person = await useLink(tx, hashToken(token), at, hash)
    if (!person) throw new Problem('invitation_refused')
    await endSessions(tx, person.id)
    await database.signals.tell(tx, 'keys')
    const { token: session, row } = await sessions.open(tx, person.id, place)
    await updatePerson(tx, person.id, { last_sign_in_at: at })
    await events.personJoined({ ...bySelf(person), address: place.address }, tx)
    return { token: session, row, person }
  })
}

/** Changes a person's own password; their other sessions end. @throws {Problem} `sign_in_refused`, `invalid` */
export async function changePassword(
  context: GatewayContext,
  { throttle }: SignInParts,
  given: { person: PersonRow; sessionId: string; current: string; next: string; address: string },
): Promise<void> {
  const { database, events } = context
  const { person, sessionId, current, next } = given
  const attempt = throttle.begin(person.email_key, given.address)
  if (!(await isPassword(current, person.password_hash)))
    throw new Problem('sign_in_refused', 'The current password is wrong.')
  attempt.succeeded()
  assertStrong(next, person)
  const password_hash = await hashPassword(next)
  await transact(database, async (tx) => {
    if (!(await holdPerson(tx, person.id))) throw new Problem('unauthorized')
    await updatePerson(tx, person.id, { password_hash, link_sha256: null, link_expires_at: null })
    await endSessions(tx, person.id, { except: sessionId })
    await database.signals.tell(tx, 'keys')
    await events.passwordChanged(bySelf(person), tx)
  })
}
