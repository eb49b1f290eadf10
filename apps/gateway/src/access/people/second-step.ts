import type { PasskeyAnswer } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { ChallengePurpose, PasskeyRow } from '../../base/db/tables/factors.ts'
import type { PersonRow, SignInWay } from '../../base/db/tables/people.ts'
import { transact } from '../../base/db/transact.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { recorded, spendCode } from './codes.ts'
import { takeChallenge } from './factors/challenges.ts'
import { passkeyToUse, readUsedPasskey } from './factors/passkeys.ts'
import { readFactors, usePasskey } from './factors/store.ts'
import { requireHalf, openSession, type OpenedSession } from './open-session.ts'
import type { Place } from './sessions.ts'
import { beginTry, bySelf, type SignInParts } from './sign-in.ts'
import { holdPerson } from '../actors/still-good.ts'
import { findPerson } from './store.ts'
import { decide } from './throttle.ts'

type Headers = Readonly<Record<string, string | undefined>>

interface Finish extends Place {
  /** Of the half sign-in; undefined when the passkey is all there is. */
  token: string | undefined
  how: SignInWay
  /** Uses the factor up. @throws {Problem} when it is not good */
  use: (tx: Tx) => Promise<void>
}

/** Ends half a sign-in with a whole one. What is wrong with the factor leaves it half. */
function finish(context: GatewayContext, { sessions }: SignInParts, person: PersonRow, given: Finish) {
  const { database, events, now } = context
  const { token, how, use, address, browser } = given
  return transact(database, async (tx): Promise<OpenedSession> => {
    const isHalf = token === undefined || (await takeChallenge(tx, 'second_step', token, now()))
    if (!isHalf || !(await holdPerson(tx, person.id))) throw new Problem('sign_in_expired')
    await use(tx)
    const opened = await openSession(context, sessions, tx, { person, how, place: { address, browser } })
    await events.personSignedIn({ ...bySelf(person), address, how }, tx)
    return opened
  })
}

/** Finishes half a sign-in with the code of an app, or with a recovery code. @throws {Problem} `second_step_refused` … */
export async function finishWithCode(
  context: GatewayContext,
  parts: SignInParts,
  { token, code, ...place }: { token: string; code: string } & Place,
): Promise<OpenedSession> {
  const person = await requireHalf(context, token)
  const attempt = beginTry(parts, person.email_key, place)
  const opened = await decide(attempt, () =>
    spendCode(context, { person, token, code, address: place.address }, (use, kind) =>
      finish(context, parts, person, { token, how: `password+${kind}`, use, ...place }),
    ),
  )
  attempt.succeeded()
  return opened
}

/** Asks for a passkey: of whoever is half signed in, or of anybody. */
export async function askForPasskey(context: GatewayContext, headers: Headers, token: string | undefined) {
  if (token === undefined) return passkeyToUse(context, headers, 'passkey_sign_in', {})
  const person = await requireHalf(context, token)
  const { passkeys } = await readFactors(context.database.db, person.id)
  return passkeyToUse(context, headers, 'passkey_step', { person_id: person.id, passkeys })
}

/** Uses a passkey. Of two that come with the same counter one is a copy. @throws {Problem} `passkey_refused` */
export async function spendPasskey(
  tx: Tx,
  { passkey, counter }: { passkey: PasskeyRow; counter: number },
  now: Date,
): Promise<void> {
  if (!(await usePasskey(tx, passkey, counter, now.toISOString()))) throw new Problem('passkey_refused')
}

/** Signs in with a passkey: as the second step with a token, as password and factor in one without. */
export async function finishWithPasskey(
  context: GatewayContext,
  parts: SignInParts,
  given: { token: string | undefined; response: PasskeyAnswer; headers: Headers } & Place,
): Promise<OpenedSession> {
  const { token, response, headers, ...place } = given
  const half = token === undefined ? undefined : await requireHalf(context, token)
  const purpose: ChallengePurpose = half ? 'passkey_step' : 'passkey_sign_in'
  return recorded(context, half, place.address, 'passkey', async () => {
    const subject = half ? { purpose, person_id: half.id } : { purpose }
    const used = await readUsedPasskey(context, headers, response, subject)
    const person = half ?? (await findPerson(context.database.db, used.passkey.person_id))
    if (!person) throw new Problem('passkey_refused')
    const use = (tx: Tx) => spendPasskey(tx, used, context.now())
    const how: SignInWay = half ? 'password+passkey' : 'passkey'
    return finish(context, parts, person, { token, how, use, ...place })
  })
}
