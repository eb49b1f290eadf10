import type { PasskeyAnswer } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { recorded, spendCode } from './codes.ts'
import { openChallenge, takeChallenge } from './factors/challenges.ts'
import { passkeyToUse, readUsedPasskey } from './factors/passkeys.ts'
import { hasFactor, readFactors } from './factors/store.ts'
import { holdOwn, type Own } from './own.ts'
import { isPassword } from './password.ts'
import { spendPasskey } from './second-step.ts'
import { confirmSession } from './session-store.ts'
import { beginTry, bySelf, type SignInParts } from './sign-in.ts'
import type { Place } from './sessions.ts'
import { findPerson } from './store.ts'
import { decide } from './throttle.ts'

type Headers = Readonly<Record<string, string | undefined>>

/** Notes in one transaction that somebody has proved who they are. @param prove throws when they have not */
function confirm(
  context: GatewayContext,
  { sessions }: SignInParts,
  own: Own,
  { how, prove }: { how: string; prove: (tx: Tx) => Promise<void> },
): Promise<void> {
  return transact(context.database, async (tx) => {
    await holdOwn(tx, sessions, own)
    await prove(tx)
    await confirmSession(tx, own.sessionId, context.now().toISOString())
    await context.events.accountConfirmed({ ...bySelf(own.person), how }, tx)
  })
}

/** What was compared must still be the password: somebody may just have chosen another one. */
async function assertSamePassword(tx: Tx, { person }: Own): Promise<void> {
  const now = await findPerson(tx, person.id)
  if (now?.password_hash !== person.password_hash)
    throw new Problem('sign_in_refused', 'The current password is wrong.')
}

interface Typed {
  password: string
  code?: string | undefined
  place: Place
}

/**
 * Proves once more who somebody is: by their password, and with a second factor by a code as well. It is throttled, and
 * its wrong codes are counted, as signing in is.
 * @throws {Problem} `sign_in_refused`, `second_step_refused`, `rate_limited`; `invalid` without the code
 */
export async function confirmByPassword(
  context: GatewayContext,
  parts: SignInParts,
  own: Own,
  { password, code, place }: Typed,
): Promise<void> {
  const { database, now } = context
  const { person, sessionId } = own
  const { address } = place
  const needsCode = hasFactor(await readFactors(database.db, person.id))
  if (needsCode && !code?.trim()) {
    const message = 'Enter a code of your authenticator app, or a recovery code.'
    throw new Problem('invalid', message, { fields: [{ field: 'code', message }] })
  }
  const attempt = beginTry(parts, person.email_key, place)
  await decide(attempt, async () => {
    await recorded(context, person, address, 'confirmation', async () => {
      if (!(await isPassword(password, person.password_hash)))
        throw new Problem('sign_in_refused', 'The current password is wrong.')
    })
    const same = (tx: Tx) => assertSamePassword(tx, own)
    if (!needsCode || code === undefined) return confirm(context, parts, own, { how: 'password', prove: same })
    // The row counts a wrong code as one of a sign-in; nobody learns its token, so nobody can sign in with it.
    const { token } = await openChallenge(database.db, 'second_step', now(), {
      person_id: person.id,
      session_id: sessionId,
    })
    return spendCode(context, { person, token, code, address }, (use, kind) => {
      const prove = async (tx: Tx) => {
        if (!(await takeChallenge(tx, 'second_step', token, now()))) throw new Problem('sign_in_expired')
        await same(tx)
        await use(tx)
      }
      return confirm(context, parts, own, { how: `password+${kind}`, prove })
    })
  })
  attempt.succeeded()
}

/** What a browser needs to confirm with a passkey of this person. */
export async function startConfirming(context: GatewayContext, { person, sessionId }: Own, headers: Headers) {
  const { passkeys } = await readFactors(context.database.db, person.id)
  const subject = { person_id: person.id, session_id: sessionId, passkeys }
  return passkeyToUse(context, headers, 'passkey_confirm', subject)
}

/** Proves once more who somebody is, with a passkey: it is password and factor in one. @throws {Problem} `passkey_refused` */
export async function confirmByPasskey(
  context: GatewayContext,
  parts: SignInParts,
  own: Own,
  { headers, response, address }: { headers: Headers; response: PasskeyAnswer; address: string },
): Promise<void> {
  const subject = { purpose: 'passkey_confirm', person_id: own.person.id, session_id: own.sessionId } as const
  await recorded(context, own.person, address, 'confirmation', async () => {
    const used = await readUsedPasskey(context, headers, response, subject)
    await confirm(context, parts, own, { how: 'passkey', prove: (tx) => spendPasskey(tx, used, context.now()) })
  })
}
