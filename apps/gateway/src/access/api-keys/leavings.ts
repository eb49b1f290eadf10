import type { Leavings } from '@faxdeck/contract'
import type { EndingOf } from '../actors/ending.ts'
import { readKeyNames } from '../actors/key-names.ts'
import { actorIdOf } from '../actors/person-id.ts'
import { readSetUp } from '../actors/take-back.ts'
import type { GatewayContext } from '../../base/context.ts'
import { stateOf } from '../people/change-person.ts'
import { chosenOf, findLetIn, previewEnded } from './end-let-in.ts'

/** The keys and people whom a key or person let in, each with what they were given, when and by whom. */
async function readAdmitted({ database }: GatewayContext, about: EndingOf) {
  const { start, by: caller } = about
  const found = await findLetIn(database.db, start)
  const { letIn, all, keys, people } = found
  const ending = chosenOf(found, { ...about, ending: { ...about.ending, issued: 'revoke' } })
  const names = await readKeyNames(database, [start, ...all])
  const byOf = (id: string) => ({ id, name: names.get(id) ?? null })
  return {
    keys: keys.map(({ key_id, name, created_at }) => {
      const { by, at } = letIn.keys.get(key_id) ?? { by: start, at: created_at }
      return { key_id, name, at, by: byOf(by), stays: !ending.keys.some((each) => each.key_id === key_id) }
    }),
    people: people.map((row) => {
      const { id, name, email, role } = row
      const given = (letIn.people.get(id) ?? []).filter(({ by }) => by === start || all.has(by))
      const shown = given.map(({ by, ...each }) => ({ ...each, by: byOf(by) }))
      return { id, name, email, role, state: stateOf(row), is_you: caller === actorIdOf(id), given: shown }
    }),
  }
}

/** What a key or person leaves behind: whom they let in, and what they and those who would end with them set up. */
export async function readLeavings(context: GatewayContext, about: EndingOf): Promise<Leavings> {
  const { db } = context.database
  const setUp = await readSetUp(context, db, [about.start, ...(await previewEnded(db, about))])
  return { ...setUp, ...(await readAdmitted(context, about)) }
}
