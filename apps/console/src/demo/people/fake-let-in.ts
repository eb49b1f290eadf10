import type { Leavings, Person } from '@faxdeck/contract'
import type { FakeKey, World } from '../world.ts'

/** As the gateway is asked about those whom a key or person let in. */
export interface FakeEnding {
  issued?: 'keep' | 'revoke' | undefined
  people?: 'keep' | 'suspend' | 'demote' | undefined
  person_ids?: readonly string[] | undefined
}

const actor = ({ id }: Person) => `person:${id}`

/** The keys and people that a key or person let in, one through the other. */
function reached({ keys, people }: World, start: string, goesOn: (id: string) => boolean): Set<string> {
  const found = new Set<string>()
  const walk = (holder: string) => {
    const issued = keys.filter((key) => key.issued_by === holder).map(({ key_id: id }) => id)
    const invited = people.filter((person) => person.invited_by.id === holder).map(actor)
    for (const id of [...issued, ...invited]) {
      if (id === start || found.has(id)) continue
      found.add(id)
      if (goesOn(id)) walk(id)
    }
  }
  walk(start)
  return found
}

/** Who would end with a key or person, and what is left behind. */
export function letInBy(world: World, start: string, { issued, people: what = 'keep', person_ids: only }: FakeEnding) {
  const all = reached(world, start, () => true)
  const isIn = (person: Person) => person.state !== 'suspended' && all.has(actor(person))
  const people = world.people.filter(isIn)
  const isChosen = (person: Person) =>
    what !== 'keep' && person.id !== world.signedIn && (only?.includes(person.id) ?? true)
  const staying = new Set(people.filter((person) => !isChosen(person)).map(actor))
  const gone = reached(world, start, (id) => !staying.has(id))
  const keys = world.keys.filter(({ key_id: id }) => all.has(id))
  const ended = keys.filter(({ key_id: id }) => issued === 'revoke' && gone.has(id))
  const nameOf = (id: string) =>
    world.people.find((person) => actor(person) === id)?.name ??
    world.keys.find((key) => key.key_id === id)?.name ??
    null
  const by = (id: string | null) => ({ id: id ?? start, name: nameOf(id ?? start) })
  const leavings = (about: readonly FakeKey[]): Leavings => ({
    settings: about.flatMap(({ leaves }) => leaves?.settings ?? []),
    plugins: about.flatMap(({ leaves }) => leaves?.plugins ?? []),
    webhooks: about.flatMap(({ leaves }) => leaves?.webhooks ?? []),
    keys: keys.map(({ key_id, name, created_at: at, issued_by }) => {
      return { key_id, name, at, by: by(issued_by), stays: !gone.has(key_id) }
    }),
    people: people.map(({ id, name, email, role, state, created_at: at, invited_by }) => {
      const given = [{ way: 'invited' as const, role, at, by: by(invited_by.id) }]
      return { id, name, email, role, state, is_you: id === world.signedIn, given }
    }),
  })
  return { leavings, ended, chosen: people.filter(isChosen) }
}

/** Does with people what was chosen for them. @returns their ids */
export function endPeople(chosen: readonly Person[], what: FakeEnding['people']): string[] {
  for (const person of chosen) {
    if (what === 'suspend') Object.assign(person, { state: 'suspended', sessions: 0 })
    if (what === 'demote') person.role = 'sender'
  }
  return chosen.map(({ id }) => id)
}
