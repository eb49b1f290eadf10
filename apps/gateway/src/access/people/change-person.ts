import type { Person, Role } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { PersonRow } from '../../base/db/tables/people.ts'
import { enrolForRole } from './open-session.ts'
import { endSessions } from './session-store.ts'
import { updatePerson } from './store.ts'

export interface PersonChange {
  name?: string
  role?: Role
  suspended?: boolean
}

export const stateOf = ({ suspended, last_sign_in_at: last }: PersonRow): Person['state'] =>
  suspended === 1 ? 'suspended' : last === null ? 'invited' : 'active'

/** Changes name or role, suspends or reinstates. Whoever is suspended is out at once, in every process. @returns the person as they are now */
export async function changePerson(
  context: GatewayContext,
  tx: Tx,
  before: PersonRow,
  { suspended, ...rest }: PersonChange,
  by: string,
): Promise<PersonRow> {
  const { database, events } = context
  const wanted = { ...rest, ...(suspended === undefined ? {} : { suspended: Number(suspended) }) }
  const changes = Object.entries(wanted).filter(([name, value]) => before[name as keyof PersonRow] !== value)
  if (changes.length === 0) return before
  // A link that was sent before must not let in whom somebody has just suspended.
  const closed = suspended === true ? { link_sha256: null, link_expires_at: null, link_by: null } : {}
  const row = (await updatePerson(tx, before.id, { ...Object.fromEntries(changes), ...closed })) ?? before
  if (suspended === true) await endSessions(tx, row.id)
  if (rest.role !== undefined) await enrolForRole(context, tx, row)
  await database.signals.notify(tx, 'keys')
  const what = { changed: changes.map(([name]) => name), role: row.role, state: stateOf(row) }
  await events.personChanged({ key_id: by, person: row.id, name: row.name, ...what }, tx)
  return row
}
