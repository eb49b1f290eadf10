import type { Reader } from '../../base/db/database.ts'

/** The groups a person is in, by their ids. */
export async function groupsOfPerson(db: Reader, personId: string): Promise<string[]> {
  const rows = db.selectFrom('group_members').select('group_id').where('person_id', '=', personId).orderBy('group_id')
  return (await rows.execute()).map(({ group_id: id }) => id)
}
