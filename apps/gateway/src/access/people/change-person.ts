import type { Person, Role } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx, Database } from '../../base/db/database.ts'
import type { PersonRow } from '../../base/db/tables/people.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { enrolForRole } from './open-session.ts'
import { endSessions } from './session-store.ts'
import { emailKeyOf, findByEmail, updatePerson } from './store.ts'

export const emailTaken = () => new Problem('conflict', 'Somebody with this email address already has an account.')

export const lastAdministrator =
  'This is the only administrator who can sign in. Make somebody else an administrator first, and let them sign in.'

/**
 * The administrators who can sign in, each by their id. They stay so until the transaction has ended: of two who
 * suspend each other, the second finds only one.
 */
export async function holdAdministrators({ engine }: Database, tx: Tx): Promise<string[]> {
  const found = tx.selectFrom('people').select('id').where('role', '=', 'administrator').where('suspended', '=', 0)
  const joined = found.where('last_sign_in_at', 'is not', null).orderBy('id')
  const rows = await joined.$if(engine === 'postgres', (query) => query.forUpdate()).execute()
  return rows.map(({ id }) => id)
}

export interface PersonChange {
  name?: string
  email?: string
  role?: Role
  suspended?: boolean
}

export const stateOf = ({ suspended, last_sign_in_at: last }: PersonRow): Person['state'] =>
  suspended === 1 ? 'suspended' : last === null ? 'invited' : 'active'

const noLink = { link_sha256: null, link_expires_at: null, link_by: null }

/** How a person is found by another email address; undefined where that is the same. @throws {Problem} `conflict` where somebody else has it */
async function readdress(tx: Tx, before: PersonRow, email: string | undefined) {
  if (email === undefined || emailKeyOf(email) === before.email_key) return undefined
  if (await findByEmail(tx, email)) throw emailTaken()
  return { email_key: emailKeyOf(email) }
}

/**
 * Changes name, email address or role, suspends or reinstates. Whoever is suspended, or gets another address, is out at
 * once, in every process. @returns the person as they are now @throws {Problem} `conflict` where somebody has the address
 */
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
  const readdressed = await readdress(tx, before, rest.email)
  // A link that was sent before must not let in whom somebody has just suspended, or whoever got it at a wrong address.
  const isOut = suspended === true || readdressed !== undefined
  const closed = { ...readdressed, ...(isOut && noLink) }
  const row = (await updatePerson(tx, before.id, { ...Object.fromEntries(changes), ...closed })) ?? before
  if (isOut) await endSessions(tx, row.id)
  if (rest.role !== undefined) await enrolForRole(context, tx, row)
  await database.signals.notify(tx, 'keys')
  const what = { changed: changes.map(([name]) => name), role: row.role, state: stateOf(row) }
  await events.personChanged({ key_id: by, person: row.id, name: row.name, ...what }, tx)
  return row
}
