import type { Database } from '../db/database.ts'
import { readPersonNames } from '../people/names.ts'

/** The names of keys by their ids, of revoked ones as well, and those of people. Keys without a name have null; ids of no key are left out. */
export async function readKeyNames(
  database: Database,
  ids: readonly (string | null)[],
): Promise<Map<string, string | null>> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  if (known.length === 0) return new Map()
  const keys = await database.db
    .selectFrom('api_keys')
    .select(['key_id', 'name'])
    .where('key_id', 'in', known)
    .execute()
  const people = await readPersonNames(database, known)
  return new Map([...keys.map(({ key_id, name }) => [key_id, name] as const), ...people])
}
