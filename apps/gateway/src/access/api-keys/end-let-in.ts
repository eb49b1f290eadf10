import { type Ended, type EndingOf, readSetUp } from '../actors/ending.ts'
import { actorIdOf, personIdOf } from '../actors/person-id.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx, Reader } from '../../base/db/database.ts'
import { invalid } from '../../base/http/answers/invalid.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { holdAdministrators, lastAdministrator, changePerson, stateOf } from '../people/change-person.ts'
import { reachedFrom, readLetIn } from './let-in.ts'
import { listKeys, revokeKey } from './store.ts'
import type { Leavings } from '@faxdeck/contract'
import { readKeyNames } from '../actors/key-names.ts'

const leastRole = 'sender'
const notLetIn = 'It names somebody who was not let in, or is suspended already. Fetch the list again'

/** Keys that are in force and people who are not suspended, as far as they were let in. */
async function findLetIn(db: Reader, start: string) {
  const letIn = await readLetIn(db)
  const all = reachedFrom(letIn, start, () => true)
  const keys = (await listKeys(db)).filter(({ key_id: id }) => all.has(id))
  const present = db.selectFrom('people').selectAll().where('suspended', '=', 0).orderBy('name').orderBy('id')
  const people = (await present.execute()).filter(({ id }) => all.has(actorIdOf(id)))
  return { letIn, all, keys, people }
}

type Found = Awaited<ReturnType<typeof findLetIn>>

/** Whom an ending is about. Keys that somebody made who stays are theirs, and stay as well. */
function chosenOf({ letIn, keys, people }: Found, { start, ending, by }: EndingOf) {
  const { issued, people: what, person_ids: only } = ending
  const isChosen = (id: string) => what !== 'keep' && actorIdOf(id) !== by && (only?.includes(id) ?? true)
  const chosen = people.filter(({ id, role }) => isChosen(id) && (what !== 'demote' || role !== leastRole))
  const staying = new Set(people.filter(({ id }) => !isChosen(id)).map(({ id }) => actorIdOf(id)))
  const gone = reachedFrom(letIn, start, (id) => !staying.has(id))
  return { keys: issued === 'revoke' ? keys.filter(({ key_id: id }) => gone.has(id)) : [], people: chosen }
}

/** @throws {Problem} `conflict` for the caller, `invalid` for somebody who was not let in */
function assertChoice({ people }: Found, { ending: { person_ids: only = [] }, by }: EndingOf): void {
  if (only.some((id) => actorIdOf(id) === by))
    throw new Problem('conflict', 'You can’t change your own role or suspend yourself. Ask another administrator.')
  const isListed = only.every((id) => people.some((person) => person.id === id))
  if (!isListed) throw invalid([{ path: ['person_ids'], message: notLetIn }])
}

/** Those who would end with it, by the ids under which they act. */
async function previewEnded(db: Reader, about: EndingOf): Promise<string[]> {
  const { keys, people } = chosenOf(await findLetIn(db, about.start), about)
  return [...keys.map(({ key_id: id }) => id), ...people.map(({ id }) => actorIdOf(id))]
}

/**
 * Ends the keys and people whom a key or person let in, as far as it was asked for, in the transaction that ends that
 * key or person. Looks again until nobody is left: each may have let in another until it was held.
 * @throws {Problem} `conflict` when nobody would be left who administers
 */
export async function endLetIn(context: GatewayContext, tx: Tx, about: EndingOf): Promise<Ended> {
  const { database, events, now } = context
  const { ending, by } = about
  const ended: Ended = { keys: [], suspended: [], demoted: [] }
  if (ending.issued === 'keep' && ending.people === 'keep') return ended
  const administrators = ending.people === 'keep' ? [] : await holdAdministrators(database, tx)
  assertChoice(await findLetIn(tx, about.start), about)
  for (;;) {
    const { keys, people } = chosenOf(await findLetIn(tx, about.start), about)
    if (keys.length + people.length === 0) break
    for (const { key_id: id } of keys) {
      await revokeKey(tx, id, now().toISOString())
      ended.keys.push(id)
    }
    for (const person of people) {
      const change = ending.people === 'suspend' ? { suspended: true } : ({ role: leastRole } as const)
      await changePerson(context, tx, person, change, by)
      ended[ending.people === 'suspend' ? 'suspended' : 'demoted'].push(person.id)
    }
  }
  await events.apiKeyRevoked(
    ended.keys.map((id) => ({ key_id: id, by })),
    tx,
  )
  const isLockedOut = administrators.length > 0 && (await holdAdministrators(database, tx)).length === 0
  if (isLockedOut && (personIdOf(about.start) !== undefined || ended.keys.includes(by) || about.start === by))
    throw new Problem('conflict', lastAdministrator)
  return ended
}

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
