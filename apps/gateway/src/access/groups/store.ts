import type { Group, OwnGroup } from '@faxdeck/contract'
import type { Tx, Reader } from '../../base/db/database.ts'
import type { GroupRow } from '../../base/db/tables/groups.ts'
import { groupsOfPerson } from './members.ts'

export const nameKeyOf = (name: string): string => name.trim().toLowerCase()

/** Groups with their numbers and people, by name. @param only one of them */
export async function readGroups(db: Reader, only?: string): Promise<Group[]> {
  const all = db.selectFrom('groups').selectAll().orderBy('name_key')
  const rows = await (only === undefined ? all : all.where('id', '=', only)).execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const numbers = await db.selectFrom('group_numbers').selectAll().where('group_id', 'in', ids).execute()
  const members = await db
    .selectFrom('group_members')
    .innerJoin('people', 'people.id', 'group_members.person_id')
    .select(['group_members.group_id', 'people.id', 'people.name'])
    .where('group_members.group_id', 'in', ids)
    .orderBy('people.name')
    .orderBy('people.id')
    .execute()
  return rows.map(({ id, name, calling_number, created_at }) => ({
    id,
    name,
    calling_number,
    numbers: numbers.flatMap((each) => (each.group_id === id ? [each.number] : [])).toSorted(),
    members: members.flatMap((each) => (each.group_id === id ? [{ id: each.id, name: each.name }] : [])),
    created_at,
  }))
}

/** The groups there are, by name. @param personId whose membership they say; undefined for the holder of a key */
export async function readOwnGroups(db: Reader, personId: string | undefined): Promise<OwnGroup[]> {
  const rows = await db.selectFrom('groups').select(['id', 'name']).orderBy('name_key').execute()
  const own = personId === undefined ? [] : await groupsOfPerson(db, personId)
  return rows.map((row) => ({ ...row, member: own.includes(row.id) }))
}

/** The group that owns a number. */
export async function ownerOf(db: Reader, number: string): Promise<string | undefined> {
  const owner = db.selectFrom('group_numbers').select('group_id').where('number', '=', number)
  return (await owner.executeTakeFirst())?.group_id
}

export async function groupExists(db: Reader, id: string): Promise<boolean> {
  return (await db.selectFrom('groups').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function setCallingNumber(tx: Tx, id: string, number: string | null): Promise<void> {
  await tx.updateTable('groups').set({ calling_number: number }).where('id', '=', id).execute()
}

/** The group, which nobody else changes or deletes before the transaction ends. */
export function holdGroup(tx: Tx, id: string): Promise<GroupRow | undefined> {
  const held = tx.updateTable('groups').set((eb) => ({ created_at: eb.ref('created_at') }))
  return held.where('id', '=', id).returningAll().executeTakeFirst()
}

/** @returns whether nobody had taken the name */
export async function insertGroup(tx: Tx, row: GroupRow): Promise<boolean> {
  const inserted = tx
    .insertInto('groups')
    .values(row)
    .onConflict((conflict) => conflict.column('name_key').doNothing())
  return ((await inserted.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** @returns whether no other group has the name */
export async function renameGroup(tx: Tx, id: string, name: string): Promise<boolean> {
  const key = nameKeyOf(name)
  const taken = tx.selectFrom('groups').select('id').where('name_key', '=', key).where('id', '!=', id)
  if (await taken.executeTakeFirst()) return false
  await tx.updateTable('groups').set({ name, name_key: key }).where('id', '=', id).execute()
  return true
}

/** Faxes keep the id of their group, which nobody is in any more. */
export async function removeGroup(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('group_members').where('group_id', '=', id).execute()
  await tx.deleteFrom('group_numbers').where('group_id', '=', id).execute()
  await tx.deleteFrom('groups').where('id', '=', id).execute()
}

/** @returns whether no group had the number */
export async function insertNumber(tx: Tx, groupId: string, number: string): Promise<boolean> {
  const inserted = tx
    .insertInto('group_numbers')
    .values({ number, group_id: groupId })
    .onConflict((conflict) => conflict.column('number').doNothing())
  return ((await inserted.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** @returns whether it was there */
export async function removeNumber(tx: Tx, groupId: string, number: string): Promise<boolean> {
  const removed = tx.deleteFrom('group_numbers').where('group_id', '=', groupId).where('number', '=', number)
  return (await removed.executeTakeFirst()).numDeletedRows > 0n
}

/** @returns whether the person was not in it yet */
export async function insertMember(tx: Tx, groupId: string, personId: string): Promise<boolean> {
  const inserted = tx
    .insertInto('group_members')
    .values({ group_id: groupId, person_id: personId })
    .onConflict((conflict) => conflict.columns(['group_id', 'person_id']).doNothing())
  return ((await inserted.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** @returns whether the person was in it */
export async function removeMember(tx: Tx, groupId: string, personId: string): Promise<boolean> {
  const removed = tx.deleteFrom('group_members').where('group_id', '=', groupId).where('person_id', '=', personId)
  return (await removed.executeTakeFirst()).numDeletedRows > 0n
}
