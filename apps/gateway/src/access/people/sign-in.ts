import { permissionsOfRole } from '@faxdeck/contract'
import { assertStillGood, holdPerson } from '../actors/still-good.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { PersonRow } from '../../base/db/tables/people.ts'
import { transact } from '../../base/db/transact.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { hasFactor, readFactors } from './factors/store.ts'
import { beginSecondStep, openSession, type OpenedSession } from './open-session.ts'
import { assertStrong, hashPassword, isPassword } from './password.ts'
import { actorIdOf, personIdOf } from '../actors/person-id.ts'
import { endSessions, findOpen } from './session-store.ts'
import { hashToken, type Place, type Sessions } from './sessions.ts'
import type { Devices } from './devices.ts'
import { emailKeyOf, findByEmail, findByLink, findPerson, updatePerson, useLink } from './store.ts'
import { decide, type SignInThrottle } from './throttle.ts'

export interface SignInParts {
  sessions: Sessions
  throttle: SignInThrottle
  devices: Devices
}

/** Begins a try of somebody. @throws {Problem} `rate_limited` */
export const beginTry = ({ throttle, devices }: SignInParts, emailKey: string, place: Omit<Place, 'browser'>) =>
  throttle.begin({ emailKey, address: place.address, device: devices.idOf(place.deviceProof, emailKey) })

/** Who acts in what is recorded about a person who acts for themselves. */
export const bySelf = ({ id, name }: Pick<PersonRow, 'id' | 'name'>) => ({
  key_id: actorIdOf(id),
  person: id,
  name,
})

type SecondStep = Awaited<ReturnType<typeof beginSecondStep>>
/** A session, or half a sign-in. */
export type Entered = OpenedSession | { secondStep: SecondStep }

/** Lets somebody in whose password is right, or asks for the second factor that they have. */
async function enter(
  context: GatewayContext,
  sessions: Sessions,
  tx: Tx,
  { person, place, record }: { person: PersonRow; place: Place; record: () => Promise<void> },
): Promise<Entered> {
  const factors = await readFactors(tx, person.id)
  if (hasFactor(factors)) return { secondStep: await beginSecondStep(context, tx, person, factors) }
  const opened = await openSession(context, sessions, tx, { person, how: 'password', place })
  await record()
  return opened
}

/** @throws {Problem} `sign_in_refused` alike, and after as long, for a wrong password and for somebody who may not sign in */
export async function signIn(
  context: GatewayContext,
  parts: SignInParts,
  { email, password, ...place }: { email: string; password: string } & Place,
): Promise<Entered> {
  const { database, events } = context
  const { sessions } = parts
  const { address } = place
  const attempt = beginTry(parts, emailKeyOf(email), place)
  return decide(attempt, async () => {
    const person = await findByEmail(database.db, email)
    const hash = person && person.suspended === 0 ? person.password_hash : null
    const isRight = await isPassword(password, hash)
    const entered =
      person && isRight
        ? await transact(database, async (tx) => {
            // The password may have been changed, or the person suspended, while it was compared.
            const isHeld = await holdPerson(tx, person.id)
            const current = await findByEmail(tx, email)
            if (!isHeld || current?.password_hash !== hash) return undefined
            const record = () => events.personSignedIn({ ...bySelf(current), address, how: 'password' }, tx)
            return enter(context, sessions, tx, { person: current, place, record })
          })
        : undefined
    if (!entered) {
      // What was typed is not recorded: it may be a password in the wrong field.
      await events.signInFailed({ person: person?.id ?? null, address })
      throw new Problem('sign_in_refused')
    }
    // Half a sign-in forgives no wrong codes: whoever has the password could guess on for ever.
    if ('secondStep' in entered) attempt.withdraw()
    else attempt.succeeded()
    return entered
  })
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

/**
 * Chooses a password with a link, and signs in; a second factor is asked for all the same. Sessions from before end:
 * somebody else may know the old password.
 */
export async function acceptInvitation(
  context: GatewayContext,
  { sessions }: SignInParts,
  { token, password, ...place }: { token: string; password: string } & Place,
): Promise<Entered> {
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
    await database.signals.notify(tx, 'keys')
    await events.personJoined({ ...bySelf(person), address: place.address }, tx)
    return enter(context, sessions, tx, { person, place, record: () => Promise.resolve() })
  })
}

/** Proves once more who a person is, by their password. @throws {Problem} `sign_in_refused` */
async function assertPassword(
  { events }: GatewayContext,
  parts: SignInParts,
  { person, password, place }: { person: PersonRow; password: string; place: Place },
): Promise<void> {
  const { address } = place
  const attempt = beginTry(parts, person.email_key, place)
  const isRight = await decide(attempt, () => isPassword(password, person.password_hash))
  if (isRight) {
    attempt.succeeded()
    return
  }
  await events.signInFailed({ person: person.id, address, step: 'confirmation' })
  throw new Problem('sign_in_refused', 'The current password is wrong.')
}

/**
 * Changes a person's own password; their other sessions end.
 * @param given `current` is compared where it is there
 * @throws {Problem} `sign_in_refused`, `invalid`; `unauthorized` when the session has ended meanwhile
 */
export async function changePassword(
  context: GatewayContext,
  parts: SignInParts,
  given: { person: PersonRow; sessionId: string; current: string | undefined; next: string; place: Place },
): Promise<void> {
  const { database, events } = context
  const { person, sessionId, current, next, place } = given
  // A password of their own would let them in when their provider does not any more.
  if (person.password_hash === null)
    throw new Problem(
      'conflict',
      'You sign in through your provider. Ask an administrator for a link to choose a password.',
    )
  if (current !== undefined) await assertPassword(context, parts, { person, password: current, place })
  assertStrong(next, person)
  const password_hash = await hashPassword(next)
  await transact(database, async (tx) => {
    if (!(await holdPerson(tx, person.id))) throw new Problem('unauthorized')
    if (!(await findOpen(tx, parts.sessions.bounds(), sessionId))) throw new Problem('unauthorized')
    const now = await findPerson(tx, person.id)
    // What was compared must still be the password: somebody may just have chosen another one.
    if (now?.password_hash !== person.password_hash)
      throw new Problem('conflict', 'Your password was changed elsewhere a moment ago. Try again with the new one.')
    await updatePerson(tx, person.id, { password_hash, link_sha256: null, link_expires_at: null, link_by: null })
    await endSessions(tx, person.id, { except: sessionId })
    await database.signals.notify(tx, 'keys')
    await events.passwordChanged(bySelf(person), tx)
  })
}
