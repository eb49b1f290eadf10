import type { ActorNames } from '../../base/events/chain.ts'
import { readKeyNames } from './key-names.ts'
import { actorIdOf } from './person-id.ts'

/** Entries that say what a person was called. */
const naming = ['person_invited', 'person_joined', 'person_changed']

/** What the audit trail calls people and keys. */
export const actorNames: ActorNames = {
  read: async (db, ids) => {
    const names = await readKeyNames({ db }, ids)
    return new Map([...names].flatMap(([id, name]) => (name === null ? [] : [[id, name] as const])))
  },
  find: async (db, word) => {
    const isCalled = (name: string | null | undefined) => name?.toLowerCase().includes(word) === true
    const keys = await db.selectFrom('api_keys').select(['key_id', 'name']).execute()
    const people = await db.selectFrom('people').select(['id', 'name']).execute()
    const entries = await db.selectFrom('audit_events').select('fields').where('event', 'in', naming).execute()
    const former = entries.map(({ fields }) => JSON.parse(fields) as { person?: string; name?: string })
    const ids = [
      ...keys.filter(({ name }) => isCalled(name)).map(({ key_id: id }) => id),
      ...people.filter(({ name }) => isCalled(name)).map(({ id }) => actorIdOf(id)),
      ...former.flatMap(({ person, name }) => (person !== undefined && isCalled(name) ? [actorIdOf(person)] : [])),
    ]
    return [...new Set(ids)]
  },
}
