import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { PersonRow } from '../../base/db/tables/people.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { sealNames, SealBroken } from '../../base/settings/seal.ts'
import { countTry, wrongTriesOf } from './factors/challenges.ts'
import { type Factors, readFactors, useRecoveryCode, useStep } from './factors/store.ts'
import { findStep } from './factors/totp.ts'
import { bySelf } from './sign-in.ts'

/** Wrong codes of a person within an hour, whoever types them and at whichever process. */
const maxWrongCodes = 10
const isAppCode = (code: string) => /^\d{6}$/.test(code)

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
  if (left === undefined) throw new Problem('second_step_refused', 'This recovery code is wrong or was already used.')
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
export async function recorded<T>(
  context: GatewayContext,
  person: PersonRow | undefined,
  address: string,
  step: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isRefusal = error instanceof Problem && error.status === 403
    if (isRefusal) await context.events.signInFailed({ person: person?.id ?? null, address, step })
    throw error
  }
}

interface Typed {
  person: PersonRow
  /** Of a `second_step` challenge, which counts wrong codes and goes when `work` takes it. */
  token: string
  code: string
  address: string
}

/**
 * Lets `work` use up what somebody typed: the code of an authenticator app, or a recovery code.
 * @param work calls `use` in its transaction
 * @throws {Problem} `second_step_refused`, `sign_in_expired`; `rate_limited` after many wrong codes
 */
export async function spendCode<T>(
  context: GatewayContext,
  { person, token, code, address }: Typed,
  work: (use: (tx: Tx) => Promise<void>, kind: 'totp' | 'recovery') => Promise<T>,
): Promise<T> {
  const { database } = context
  const typed = code.replace(/\s/g, '')
  const isApp = isAppCode(typed)
  const use = (tx: Tx) =>
    isApp ? useAppCode(context, tx, person.id, typed) : spendRecoveryCode(context, tx, person, typed)
  return recorded(context, person, address, isApp ? 'totp' : 'recovery_code', async () => {
    if (isApp) await countWrong(context, person, token)
    return work(use, isApp ? 'totp' : 'recovery').catch(async (error: unknown) => {
      const isUndecided = isApp && !(error instanceof Problem && error.status < 500)
      if (isUndecided) await countTry(database.db, token, -1)
      throw error
    })
  })
}
