import type { Database } from '../db/database.ts'

/** The names of keys by their ids, of revoked ones as well. Keys without a name have null; ids of no key are left out. */
export async function readKeyNames(
  { db }: Database,
  ids: readonly (string | null)[],
): Promise<Map<string, string | null>> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  if (known.length === 0) return new Map()
  const keys = await db.selectFrom('api_keys').select(['key_id', 'name']).where('key_id', 'in', known).execute()
  return new Map(keys.map(({ key_id, name }) => [key_id, name]))
}
