import { type LetInWay, permissionsOfRole, type Role } from '@faxdeck/contract'
import type { Reader } from '../../base/db/database.ts'
import { actorIdOf } from '../actors/person-id.ts'

/** What somebody was given, and by which key or person. */
export interface Given {
  way: LetInWay
  /** The role that went with it. */
  role: Role
  by: string
  at: string
}

/** Who let whom in, among keys and people that are still there and those that are gone. */
export interface LetIn {
  /** By key: who was given its token, when it was created or last rotated. */
  keys: Map<string, { by: string; at: string }>
  /** By the id of a person: everything that lets them in and that nobody has replaced since. */
  people: Map<string, Given[]>
}

interface Entry {
  event: string
  ts: string
  by: string
  facts: { role?: unknown; changed?: unknown; state?: unknown }
}

class Account {
  #invited: Given | undefined
  #promoted: Given | undefined
  #reinstated: Given | undefined
  #reset: Given | undefined
  #readdressed: Given | undefined
  /** Whoever made one may have chosen the password, until a later one is used. */
  #links: Given[] = []
  #role: Role = 'sender'

  add({ event, ts: at, by, facts }: Entry): void {
    const role = (facts.role ?? this.#role) as Role
    const given = (way: LetInWay): Given => ({ way, role, by, at })
    if (event === 'person_invited') {
      if (this.#invited) this.#links.push(given('link'))
      else this.#invited = given('invited')
    }
    if (event === 'person_joined') this.#links = this.#links.slice(-1)
    if (event === 'factors_reset') this.#reset = given('factors_reset')
    if (event === 'person_changed') this.#change(given, facts)
    this.#role = role
  }

  #change(given: (way: LetInWay) => Given, { role, changed, state }: Entry['facts']): void {
    const names: unknown[] = Array.isArray(changed) ? changed : []
    if (names.includes('role')) {
      const before = permissionsOfRole(this.#role)
      const isMore = [...permissionsOfRole(role as Role)].some((permission) => !before.has(permission))
      this.#promoted = isMore ? given('promoted') : undefined
    }
    if (names.includes('email')) this.#readdressed = given('email')
    if (names.includes('suspended')) this.#reinstated = state === 'suspended' ? undefined : given('reinstated')
  }

  given(): Given[] {
    const all = [this.#invited, this.#promoted, this.#reinstated, this.#reset, this.#readdressed, ...this.#links]
    return all.filter((each) => each !== undefined).toSorted((a, b) => a.at.localeCompare(b.at))
  }
}

/** Reads from the audit trail, which is never shortened, who let whom in: it holds for earlier releases too. */
export async function readLetIn(db: Reader): Promise<LetIn> {
  const names = ['person_invited', 'person_joined', 'person_changed', 'factors_reset']
  const events = db.selectFrom('audit_events').where('event', 'in', ['api_key_created', 'api_key_rotated', ...names])
  const rows = await events.select(['event', 'ts', 'key_id', 'fields']).orderBy('seq').execute()
  const keys: LetIn['keys'] = new Map()
  const accounts = new Map<string, Account>()
  for (const { event, ts, key_id: keyId, fields } of rows) {
    if (keyId === null) continue
    const { by, person, ...facts } = JSON.parse(fields) as Entry['facts'] & { by?: unknown; person?: unknown }
    if (typeof by === 'string' && !names.includes(event)) keys.set(keyId, { by, at: ts })
    if (typeof person !== 'string') continue
    const account = accounts.get(person) ?? new Account()
    accounts.set(person, account)
    account.add({ event, ts, by: keyId, facts })
  }
  return { keys, people: new Map([...accounts].map(([id, account]) => [id, account.given()])) }
}

/**
 * Everybody whom a key or person let in, and whom these let in in turn, by the ids under which they act.
 * @param goesOn whether whom somebody found let in counts too
 */
export function reachedFrom({ keys, people }: LetIn, start: string, goesOn: (id: string) => boolean): Set<string> {
  const edges = [
    ...[...keys].map(([id, { by }]) => ({ id, by })),
    ...[...people].flatMap(([id, given]) => given.map(({ by }) => ({ id: actorIdOf(id), by }))),
  ]
  const byHolder = Map.groupBy(edges, ({ by }) => by)
  const found = new Set<string>()
  const open = [start]
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const { id } of byHolder.get(holder) ?? []) {
      if (id === start || found.has(id)) continue
      found.add(id)
      if (goesOn(id)) open.push(id)
    }
  }
  return found
}
