import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { PersonRow } from '../../base/db/tables/people.ts'
import type { Caller } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { deviceProofOf } from '../../base/http/callers/session-cookie.ts'
import { personIdOf } from '../actors/person-id.ts'
import { findOpen } from './session-store.ts'
import type { Place, Sessions } from './sessions.ts'
import { holdPerson } from '../actors/still-good.ts'
import { findPerson } from './store.ts'

/** A person in one of their sessions. */
export interface Own {
  person: PersonRow
  sessionId: string
}

export const placeOf = (
  { settings }: Pick<GatewayContext, 'settings'>,
  { address }: Caller,
  headers: Readonly<Record<string, string | undefined>>,
): Place => ({
  address,
  browser: headers['user-agent'] ?? '',
  deviceProof: deviceProofOf(headers, settings.current().base_path),
})

/** The person who calls, with their session. @throws {Problem} `person_required` for the holder of a key */
export async function requirePerson({ database }: GatewayContext, { keyId, sessionId }: Caller): Promise<Own> {
  const id = personIdOf(keyId)
  if (id === undefined || sessionId === undefined) throw new Problem('person_required')
  const person = await findPerson(database.db, id)
  if (!person) throw new Problem('unauthorized')
  return { person, sessionId }
}

/** Holds a person until the transaction ends, as long as they are not suspended and their session is open. @throws {Problem} `unauthorized` */
export async function holdOwn(tx: Tx, sessions: Sessions, { person, sessionId }: Own): Promise<void> {
  const isThere = (await holdPerson(tx, person.id)) && (await findOpen(tx, sessions.bounds(), sessionId))
  if (!isThere) throw new Problem('unauthorized')
}
