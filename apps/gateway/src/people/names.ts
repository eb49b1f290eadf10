import type { Database } from '../db/database.ts'
import { actorIdOf, personIdOf } from './person-id.ts'

/** The names of people by the ids they act under; those of keys are left out. */
export async function readPersonNames({ db }: Database, actorIds: readonly string[]): Promise<[string, string][]> {
  const ids = actorIds.map(personIdOf).filter((id) => id !== undefined)
  if (ids.length === 0) return []
  const people = await db.selectFrom('people').select(['id', 'name']).where('id', 'in', ids).execute()
  return people.map(({ id, name }) => [actorIdOf(id), name])
}
