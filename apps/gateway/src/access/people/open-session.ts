import type { Role } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { PersonRow, SignInWay } from '../../base/db/tables/people.ts'
import { hasFactor, readFactors, type Factors } from './factors/store.ts'
import type { Place, Sessions } from './sessions.ts'
import { updatePerson, findPerson } from './store.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { findChallenge, openChallenge } from './factors/challenges.ts'

/** Whether the settings ask a second factor of people in a role. */
export function requiresFactor({ settings }: Pick<GatewayContext, 'settings'>, role: Role): boolean {
  const whom = settings.current().require_second_factor
  return whom === 'everybody' || (whom === 'administrators' && role === 'administrator')
}

/**
 * Somebody who is given a role that asks for a second factor, and has none, can do nothing more in sessions that were opened
 * with a password alone but set one up.
 */
export async function enrolForRole(context: GatewayContext, tx: Tx, { id, role }: PersonRow): Promise<void> {
  if (!requiresFactor(context, role) || hasFactor(await readFactors(tx, id))) return
  const sessions = tx.updateTable('person_sessions').set({ must_enrol: 1 }).where('person_id', '=', id)
  await sessions.where('how', '=', 'password').execute()
}

/**
 * Opens a session for somebody who has shown who they are, whichever way. Whoever signed in with a password alone where
 * more is required can do nothing in it but set up a second factor; a provider of OIDC asks for its own.
 * @param given `provedAt` where they proved who they are earlier than now, to their provider
 * @returns it, with the token that is kept nowhere
 */
export async function openSession(
  context: GatewayContext,
  sessions: Sessions,
  tx: Tx,
  { person, how, place, provedAt }: { person: PersonRow; how: SignInWay; place: Place; provedAt?: Date | undefined },
) {
  const mustEnrol =
    how === 'password' && requiresFactor(context, person.role) && !hasFactor(await readFactors(tx, person.id))
  const { token, row } = await sessions.open(tx, person.id, place, { how, mustEnrol, provedAt })
  await updatePerson(tx, person.id, { last_sign_in_at: context.now().toISOString() })
  return { token, row, person }
}

export type OpenedSession = Awaited<ReturnType<typeof openSession>>

/** Half a sign-in: the password was right, and a second factor is asked for. */
export async function beginSecondStep({ now }: GatewayContext, tx: Tx, person: PersonRow, factors: Factors) {
  const opened = await openChallenge(tx, 'second_step', now(), { person_id: person.id })
  return {
    ...opened,
    totp: factors.totp !== undefined,
    passkey: factors.passkeys.length > 0,
    recovery_code: factors.recoveryCodes > 0,
  }
}

/** Who is half signed in. @throws {Problem} `sign_in_expired` */
export async function requireHalf({ database, now }: GatewayContext, token: string): Promise<PersonRow> {
  const half = await findChallenge(database.db, 'second_step', token, now())
  const person = half?.person_id == null ? undefined : await findPerson(database.db, half.person_id)
  if (!person) throw new Problem('sign_in_expired')
  return person
}
