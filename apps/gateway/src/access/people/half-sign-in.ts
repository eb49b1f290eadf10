import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { PersonRow } from '../../base/db/tables/people.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { findChallenge, openChallenge } from './factors/challenges.ts'
import type { Factors } from './factors/store.ts'
import { findPerson } from './store.ts'

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
