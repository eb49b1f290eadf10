import type { Reader } from '../../base/db/database.ts'
import { actorIdOf, personIdOf } from './person-id.ts'

/** The names of people by the ids they act under; those of keys are left out. */
async function readPersonNames(db: Reader, actorIds: readonly string[]): Promise<[string, string][]> {
  const ids = actorIds.map(personIdOf).filter((id) => id !== undefined)
  if (ids.length === 0) return []
  const people = await db.selectFrom('people').select(['id', 'name']).where('id', 'in', ids).execute()
  return people.map(({ id, name }) => [actorIdOf(id), name])
}

/** The names of keys by their ids, of revoked ones as well, and those of people. Keys without a name have null; ids of no key are left out. */
export async function readKeyNames(
  { db }: { db: Reader },
  ids: readonly (string | null)[],
): Promise<Map<string, string | null>> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  if (known.length === 0) return new Map()
  const keys = await db.selectFrom('api_keys').select(['key_id', 'name']).where('key_id', 'in', known).execute()
  const people = await readPersonNames(db, known)
  return new Map([...keys.map(({ key_id, name }) => [key_id, name] as const), ...people])
}
