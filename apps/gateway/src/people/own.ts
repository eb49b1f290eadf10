import type { GatewayContext } from '../context.ts'
import type { Caller } from '../http/handler.ts'
import { Problem } from '../http/answers/problem.ts'
import { personIdOf } from './person-id.ts'
import { findOpen } from './session-store.ts'
import type { Place, Sessions } from './sessions.ts'
import { findPerson } from './store.ts'

/** So long a person who signed in, or confirmed who they are, need not do so again. */
const freshMs = 5 * 60_000

export const placeOf = ({ address }: Caller, headers: Readonly<Record<string, string | undefined>>): Place => ({
  address,
  browser: headers['user-agent'] ?? '',
})

/** The person who calls, with their session. @throws {Problem} `person_required` for the holder of a key */
export async function requirePerson({ database }: GatewayContext, { keyId, sessionId }: Caller) {
  const id = personIdOf(keyId)
  if (id === undefined || sessionId === undefined) throw new Problem('person_required')
  const person = await findPerson(database.db, id)
  if (!person) throw new Problem('unauthorized')
  return { person, sessionId }
}

/** Whether the person of a session has just proved who they are. */
export async function isFresh(
  { database, now }: GatewayContext,
  sessions: Sessions,
  sessionId: string,
): Promise<boolean> {
  const session = await findOpen(database.db, sessions.bounds(), sessionId)
  if (!session) throw new Problem('unauthorized')
  const { confirmed_at: at } = session
  return at !== null && now().getTime() - Date.parse(at) < freshMs
}

/** A stolen cookie must not change how its person signs in. @throws {Problem} `confirmation_required` */
export async function assertFresh(context: GatewayContext, sessions: Sessions, sessionId: string): Promise<void> {
  if (!(await isFresh(context, sessions, sessionId))) throw new Problem('confirmation_required')
}
