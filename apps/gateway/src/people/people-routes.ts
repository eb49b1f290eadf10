import { randomBytes } from 'node:crypto'
import type { Person, Role } from '@faxdeck/contract'
import type { Kysely } from 'kysely'
import { takeBackLeavings } from '../api-keys/leavings.ts'
import { assertStillGood } from '../api-keys/still-good.ts'
import type { GatewayContext } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { PersonRow } from '../db/tables/people.ts'
import type { Tables } from '../db/tables/tables.ts'
import { transact } from '../db/transact.ts'
import { consolePath } from '../http/console.ts'
import type { Caller, Handlers } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import { readFactorHolders, removeFactors } from './factors/store.ts'
import { actorIdOf, personIdOf } from './person-id.ts'
import { endSessions, listSessions } from './session-store.ts'
import { hashToken, newToken, type Sessions } from './sessions.ts'
import { emailKeyOf, findPerson, insertPerson, listPeople, updatePerson } from './store.ts'

/** So long a link can be used. */
const linkMs = 72 * 3_600_000

function present(row: PersonRow, sessions: number, hasFactor: boolean, now: string): Person {
  const { id, name, email, role, created_at, last_sign_in_at, link_expires_at: expires } = row
  const state = row.suspended === 1 ? 'suspended' : row.password_hash === null ? 'invited' : 'active'
  const link_expires_at = expires !== null && expires > now && state !== 'suspended' ? expires : null
  return {
    id,
    name,
    email,
    role,
    state,
    created_at,
    last_sign_in_at,
    link_expires_at,
    sessions,
    second_factor: hasFactor,
  }
}

/** A link to choose a password with: its token for the answer, and what is kept of it. */
function newLink(now: Date, by: string) {
  const token = newToken()
  const expires = new Date(now.getTime() + linkMs).toISOString()
  return {
    token,
    path: `${consolePath}#invitation=${token}`,
    kept: { link_sha256: hashToken(token), link_expires_at: expires, link_by: by },
  }
}

/** Everything that an administrator does with people, each in one transaction with its entry in the audit trail. */
class PeopleDesk {
  readonly #context: GatewayContext
  readonly #sessions: Sessions

  constructor(context: GatewayContext, sessions: Sessions) {
    this.#context = context
    this.#sessions = sessions
  }

  #now = () => this.#context.now().toISOString()

  async #shown(db: Kysely<Tables> | Tx, row: PersonRow): Promise<Person> {
    const open = await listSessions(db, this.#sessions.bounds(), row.id)
    const holders = await readFactorHolders(db)
    return present(row, open.length, holders.has(row.id), this.#now())
  }

  async list(): Promise<Person[]> {
    const { db } = this.#context.database
    const open = await listSessions(db, this.#sessions.bounds())
    const people = await listPeople(db)
    const holders = await readFactorHolders(db)
    return people.map((row) => {
      const sessions = open.filter(({ person_id: id }) => id === row.id).length
      return present(row, sessions, holders.has(row.id), this.#now())
    })
  }

  async invite(given: { name: string; email: string; role: Role }, caller: Caller) {
    const { database, events, now } = this.#context
    const { kept, ...link } = newLink(now(), caller.keyId)
    const row: PersonRow = {
      id: randomBytes(6).toString('hex'),
      ...given,
      email_key: emailKeyOf(given.email),
      suspended: 0,
      password_hash: null,
      ...kept,
      created_at: this.#now(),
      created_by: caller.keyId,
      last_sign_in_at: null,
    }
    return transact(database, async (tx) => {
      await assertStillGood(tx, caller.keyId, now())
      if (!(await insertPerson(tx, row)))
        throw new Problem('conflict', 'Somebody with this e-mail address is here already.')
      await events.personInvited({ key_id: caller.keyId, person: row.id, name: row.name, role: row.role }, tx)
      return { person: await this.#shown(tx, row), ...link }
    })
  }

  async renew(id: string, caller: Caller) {
    const { database, events, now } = this.#context
    // With a link anybody chooses a new password: a stolen cookie must not make one for its own person.
    if (personIdOf(caller.keyId) === id)
      throw new Problem('conflict', 'You can’t make a link for yourself. Change your password under your account.')
    const { kept, ...link } = newLink(now(), caller.keyId)
    return transact(database, async (tx) => {
      await assertStillGood(tx, caller.keyId, now())
      const row = await updatePerson(tx, id, kept)
      if (!row) throw new Problem('person_not_found')
      if (row.suspended === 1) throw new Problem('conflict', 'This person is suspended. Let them back in first.')
      await events.personInvited({ key_id: caller.keyId, person: id, name: row.name, role: row.role }, tx)
      return { person: await this.#shown(tx, row), ...link }
    })
  }

  async update(id: string, given: { name?: string; role?: Role; suspended?: boolean }, caller: Caller) {
    const { database, events, now } = this.#context
    if (personIdOf(caller.keyId) === id && (given.role !== undefined || given.suspended !== undefined))
      throw new Problem('conflict', 'You can’t change your own role or suspend yourself. Ask another administrator.')
    return transact(database, async (tx) => {
      await assertStillGood(tx, caller.keyId, now())
      const before = await findPerson(tx, id)
      if (!before) throw new Problem('person_not_found')
      const { suspended, ...rest } = given
      const wanted = { ...rest, ...(suspended === undefined ? {} : { suspended: Number(suspended) }) }
      const changed = Object.entries(wanted).filter(([name, value]) => before[name as keyof PersonRow] !== value)
      if (changed.length === 0) return this.#shown(tx, before)
      // A link that was sent before must not let in whom somebody has just suspended.
      const closed = suspended === true ? { link_sha256: null, link_expires_at: null, link_by: null } : {}
      const row = (await updatePerson(tx, id, { ...wanted, ...closed })) ?? before
      if (suspended === true) await endSessions(tx, id)
      // Whoever administers no more must not have left a way back in.
      const ended = suspended === true || (given.role !== undefined && before.role === 'administrator')
      if (ended) await takeBackLeavings(this.#context, tx, [actorIdOf(id)], caller.keyId)
      await database.signals.tell(tx, 'keys')
      const { state, role, name } = present(row, 0, false, this.#now())
      const names = changed.map(([each]) => each)
      await events.personChanged({ key_id: caller.keyId, person: id, name, changed: names, role, state }, tx)
      return this.#shown(tx, row)
    })
  }

  /** For somebody who has lost phone and recovery codes. They sign in with their password and set up anew. */
  async resetFactors(id: string, caller: Caller): Promise<Person> {
    const { database, events, now } = this.#context
    if (personIdOf(caller.keyId) === id)
      throw new Problem('conflict', 'Change your own second factors under your account.')
    return transact(database, async (tx) => {
      await assertStillGood(tx, caller.keyId, now())
      const row = await findPerson(tx, id)
      if (!row) throw new Problem('person_not_found')
      await removeFactors(tx, id)
      await endSessions(tx, id)
      await database.signals.tell(tx, 'keys')
      await events.factorsReset({ key_id: caller.keyId, person: id, name: row.name }, tx)
      return this.#shown(tx, row)
    })
  }

  async endAll(id: string, caller: Caller): Promise<Person> {
    const { database, events } = this.#context
    return transact(database, async (tx) => {
      const row = await findPerson(tx, id)
      if (!row) throw new Problem('person_not_found')
      const count = await endSessions(tx, id)
      await database.signals.tell(tx, 'keys')
      await events.sessionsEnded({ key_id: caller.keyId, person: id, name: row.name, count }, tx)
      return this.#shown(tx, row)
    })
  }
}

/** What administrators do with people. */
export function peopleHandlers(context: GatewayContext, sessions: Sessions) {
  const desk = new PeopleDesk(context, sessions)
  return {
    listPeople: () => desk.list(),
    invitePerson: ({ body, caller }) => desk.invite(body, caller),
    renewInvitation: ({ params, caller }) => desk.renew(params.id, caller),
    updatePerson: ({ params, body, caller }) => desk.update(params.id, body, caller),
    endSessions: ({ params, caller }) => desk.endAll(params.id, caller),
    resetFactors: ({ params, caller }) => desk.resetFactors(params.id, caller),
  } satisfies Partial<Handlers>
}
