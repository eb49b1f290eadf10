import type { PasskeyAnswer } from '@faxdeck/contract'
import type { GatewayContext } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { ChallengePurpose, PasskeyRow } from '../db/tables/factors.ts'
import type { PersonRow, SignInWay } from '../db/tables/people.ts'
import { transact } from '../db/transact.ts'
import { Problem } from '../http/problem.ts'
import { sealNames } from '../settings/seal-names.ts'
import { SealBroken } from '../settings/seal.ts'
import { countTry, takeChallenge, wrongTriesOf } from './factors/challenges.ts'
import { passkeyToUse, readUsedPasskey } from './factors/passkeys.ts'
import { type Factors, readFactors, usePasskey, useRecoveryCode, useStep } from './factors/store.ts'
import { findStep } from './factors/totp.ts'
import { requireHalf } from './half-sign-in.ts'
import { openSession, type OpenedSession } from './open-session.ts'
import type { Place } from './sessions.ts'
import { bySelf, type SignInParts } from './sign-in.ts'
import { holdPerson } from './still-in.ts'
import { findPerson } from './store.ts'
import { decide } from './throttle.ts'

type Headers = Readonly<Record<string, string | undefined>>

/** Wrong codes of a person within an hour, whoever types them and at whichever process. */
const maxWrongCodes = 10
const isAppCode = (code: string) => /^\d{6}$/.test(code)

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

/** The step of an app's code, of which no earlier one counts. @throws {Problem} `second_step_refused` */
function stepOf({ settings, now }: GatewayContext, { totp }: Factors, code: string): number {
  if (!totp) throw new Problem('second_step_refused')
  try {
    const secret = settings.seals.unseal(sealNames.totp(totp.person_id), totp.secret)
    const step = findStep(secret, code, now(), totp.last_step)
    if (step === undefined) throw new Problem('second_step_refused')
    return step
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new Problem(
      'unavailable',
      'Codes cannot be checked: the master key was changed. Use a recovery code or a passkey.',
    )
  }
}

/** Uses the code of an app up. It is good once, in whichever process. @throws {Problem} `second_step_refused` */
async function useAppCode(context: GatewayContext, tx: Tx, personId: string, code: string): Promise<void> {
  const step = stepOf(context, await readFactors(tx, personId), code)
  if (!(await useStep(tx, personId, step, context.now().toISOString()))) throw new Problem('second_step_refused')
}

/** @throws {Problem} `second_step_refused` */
async function spendRecoveryCode({ events }: GatewayContext, tx: Tx, person: PersonRow, code: string): Promise<void> {
  const left = await useRecoveryCode(tx, person.id, code)
  if (left === undefined) throw new Problem('second_step_refused', 'This recovery code is wrong, or was used before.')
  await events.recoveryCodeUsed({ ...bySelf(person), left }, tx)
}

/** Counts a code as wrong in the database, before it is compared. @throws {Problem} `rate_limited` */
async function countWrong({ database, now }: GatewayContext, person: PersonRow, token: string): Promise<void> {
  if (!(await countTry(database.db, token, 1))) throw new Problem('sign_in_expired')
  if ((await wrongTriesOf(database.db, person.id, now())) <= maxWrongCodes) return
  await countTry(database.db, token, -1)
  const sentence = 'Too many wrong codes. Use a passkey or a recovery code, or try again in an hour.'
  throw new Problem('rate_limited', sentence, { retryAfterSeconds: 3600 })
}

/** Records a factor that was refused. What was typed is not recorded. */
async function recorded<T>(
  context: GatewayContext,
  person: PersonRow | undefined,
  address: string,
  step: string,
  work: () => Promise<T>,
) {
  try {
    return await work()
  } catch (error) {
    const isRefusal = error instanceof Problem && error.status === 403
    if (isRefusal) await context.events.signInFailed({ person: person?.id ?? null, address, step })
    throw error
  }
}

/** Finishes half a sign-in with the code of an app, or with a recovery code. @throws {Problem} `second_step_refused` … */
export async function finishWithCode(
  context: GatewayContext,
  parts: SignInParts,
  { token, code, ...place }: { token: string; code: string } & Place,
): Promise<OpenedSession> {
  const { database } = context
  const person = await requireHalf(context, token)
  const typed = code.replace(/\s/g, '')
  const isApp = isAppCode(typed)
  const attempt = parts.throttle.begin(person.email_key, place.address)
  const how: SignInWay = isApp ? 'password+totp' : 'password+recovery'
  const use = (tx: Tx) =>
    isApp ? useAppCode(context, tx, person.id, typed) : spendRecoveryCode(context, tx, person, typed)
  const opened = await decide(attempt, () =>
    recorded(context, person, place.address, isApp ? 'totp' : 'recovery_code', async () => {
      if (isApp) await countWrong(context, person, token)
      return finish(context, parts, person, { token, how, use, ...place }).catch(async (error: unknown) => {
        const isUndecided = isApp && !(error instanceof Problem && error.status < 500)
        if (isUndecided) await countTry(database.db, token, -1)
        throw error
      })
    }),
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
