import type { GatewayContext } from '../../base/context.ts'
import type { Reader } from '../../base/db/database.ts'
import { spellNumber } from '../../base/number.ts'
import type { Actor } from '../../base/http/callers/keys.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { personIdOf } from '../actors/person-id.ts'
import { groupsOfPerson } from './members.ts'
import { groupExists, ownerOf } from './store.ts'

/** The group that a fax is sent for. */
export interface SendingGroup {
  /** Null for none: the sender and those who see all faxes. */
  id: string | null
  /** Whether it was asked for: the same call with another group is another fax. */
  isChosen: boolean
  /** The number that its faxes come from, if it has one. */
  number?: string | undefined
}

/** No group was asked for and none is known. */
export const noGroup: SendingGroup = { id: null, isChosen: false }

/**
 * The group that a call sends for: the one it names, otherwise the only one that the caller is in.
 * @throws {Problem} `group_not_found` for one that is not there, and alike for one that the caller is not in
 */
export async function groupToSendFor(
  { database: { db } }: Pick<GatewayContext, 'database'>,
  { keyId, faxAccess }: Pick<Actor, 'keyId' | 'faxAccess'>,
  chosen: string | undefined,
): Promise<SendingGroup> {
  const personId = personIdOf(keyId)
  const own = personId === undefined ? [] : await groupsOfPerson(db, personId)
  if (chosen === undefined) {
    const id = own.length === 1 ? (own[0] ?? null) : null
    return { id, isChosen: false, number: await callingNumberOf(db, id) }
  }
  if (!own.includes(chosen) && !(faxAccess === 'all' && (await groupExists(db, chosen))))
    throw new Problem('group_not_found')
  return { id: chosen, isChosen: true, number: await callingNumberOf(db, chosen) }
}

/** @throws {Problem} `group_not_found` when one of them is not there */
export async function requireGroups(db: Reader, ids: readonly string[]): Promise<void> {
  for (const id of ids) if (!(await groupExists(db, id))) throw new Problem('group_not_found')
}

/** The names of groups, by id. Those that are gone are left out. */
export async function namesOfGroups(db: Reader, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('groups').select(['id', 'name']).where('id', 'in', wanted).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The number that faxes of a group come from; undefined for that of the line. */
export async function callingNumberOf(db: Reader, id: string | null): Promise<string | undefined> {
  if (id === null) return undefined
  const group = await db.selectFrom('groups').select('calling_number').where('id', '=', id).executeTakeFirst()
  return group?.calling_number ?? undefined
}

/** What a chosen group adds to the fingerprint that a repeat is recognized by. */
export const groupTrace = ({ id, isChosen }: SendingGroup): string => (isChosen ? `group ${id}` : '')

/** The group whose number was called. @param to as the provider wrote it @param country of national numbers */
export async function groupOfCalled(db: Reader, to: string | null, country: string): Promise<string | null> {
  return to === null ? null : ((await ownerOf(db, spellNumber(to, country))) ?? null)
}
