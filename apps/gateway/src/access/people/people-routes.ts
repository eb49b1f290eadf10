import { randomBytes } from 'node:crypto'
import type { Person, Role } from '@faxdeck/contract'
import { type Ending, endingOf, type Endings, takeBackSetUp } from '../actors/ending.ts'
import { readKeyNames } from '../actors/key-names.ts'
import { actorIdOf, personIdOf } from '../actors/person-id.ts'
import { assertStillGood } from '../actors/still-good.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { PersonRow } from '../../base/db/tables/people.ts'
import { transact } from '../../base/db/transact.ts'
import { consolePath } from '../../base/http/console.ts'
import type { Caller, Handlers } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import {
  changePerson,
  emailTaken,
  holdAdministrators,
  lastAdministrator,
  type PersonChange,
  stateOf,
} from './change-person.ts'
import { hasFactor, readFactorHolders, readFactors, removeFactors } from './factors/store.ts'
import { presentSessions, hashToken, newToken, type Sessions } from './sessions.ts'
import { endSessions, listSessions } from './session-store.ts'
import { emailKeyOf, findPerson, insertPerson, listPeople, updatePerson } from './store.ts'

const linkMs = 72 * 3_600_000
const nothingEnds =
  'Whom a person let in can be ended only as the person is suspended or, as an administrator, given another role.'

// With another address single sign-on could open the account to somebody else: a stolen cookie must not do that.
const notOneself = 'You can’t change your own role or email address, or suspend yourself. Ask another administrator.'

type PersonUpdate = PersonChange & Partial<Ending>

function present(
  row: PersonRow,
  { sessions, inviter, hasFactor, now }: { sessions: number; inviter: string | null; hasFactor: boolean; now: string },
) {
  const { id, name, email, role, created_at, last_sign_in_at, link_expires_at: expires } = row
  const state = stateOf(row)
  const link_expires_at = expires !== null && expires > now && state !== 'suspended' ? expires : null
  const invited_by = { id: row.created_by, name: inviter }
  return {
    id,
    name,
    email,
    role,
    state,
    created_at,
    invited_by,
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
  readonly #endings: Endings

  constructor(context: GatewayContext, sessions: Sessions, endings: Endings) {
    this.#context = context
    this.#sessions = sessions
    this.#endings = endings
  }

  #now = () => this.#context.now().toISOString()

  async #shown(rows: readonly PersonRow[]): Promise<Person[]> {
    const { database } = this.#context
    const [only, ...others] = rows
    const open = await listSessions(database.db, this.#sessions.bounds(), others.length === 0 ? only?.id : undefined)
    const inviters = rows.map(({ created_by: by }) => by)
    const names = await readKeyNames(database, inviters)
    const holders = await readFactorHolders(database.db)
    return rows.map((row) => {
      const sessions = open.filter(({ person_id: id }) => id === row.id).length
      return present(row, {
        sessions,
        inviter: names.get(row.created_by) ?? null,
        hasFactor: holders.has(row.id),
        now: this.#now(),
      })
    })
  }

  async #shownOne(row: PersonRow): Promise<Person> {
    const [person] = await this.#shown([row])
    if (!person) throw new Problem('person_not_found')
    return person
  }

  async #require(id: string): Promise<PersonRow> {
    const row = await findPerson(this.#context.database.db, id)
    if (!row) throw new Problem('person_not_found')
    return row
  }

  async list(): Promise<Person[]> {
    return this.#shown(await listPeople(this.#context.database.db))
  }

  async leavings(id: string, ending: Ending, caller: Caller) {
    await this.#require(id)
    return this.#endings.readLeavings(this.#context, { start: actorIdOf(id), ending, by: caller.keyId })
  }

  async sessionsOf(id: string, caller: Caller) {
    await this.#require(id)
    return presentSessions(this.#context, this.#sessions, id, caller.sessionId)
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
      factors_reset_at: null,
    }
    await transact(database, async (tx) => {
      await assertStillGood(tx, caller.keyId, now())
      if (!(await insertPerson(tx, row))) throw emailTaken()
      await events.personInvited({ key_id: caller.keyId, person: row.id, name: row.name, role: row.role }, tx)
    })
    return { person: await this.#shownOne(row), ...link }
  }

  async renew(id: string, caller: Caller) {
    const { database, events, now } = this.#context
    // With a link anybody chooses a new password: a stolen cookie must not make one for its own person.
    if (personIdOf(caller.keyId) === id)
      throw new Problem('conflict', 'You can’t make a link for yourself. Change your password under your account.')
    const { kept, ...link } = newLink(now(), caller.keyId)
    const renewed = await transact(database, async (tx) => {
      await assertStillGood(tx, caller.keyId, now())
      const row = await updatePerson(tx, id, kept)
      if (!row) throw new Problem('person_not_found')
      if (row.suspended === 1) throw new Problem('conflict', 'This person is suspended. Let them back in first.')
      await events.personInvited({ key_id: caller.keyId, person: id, name: row.name, role: row.role }, tx)
      return row
    })
    return { person: await this.#shownOne(renewed), ...link }
  }

  async update(id: string, given: PersonUpdate, caller: Caller) {
    const { database, settings, now } = this.#context
    const { issued = 'keep', people = 'keep', person_ids, ...change } = given
    const { name: _, ...byOthers } = change
    if (personIdOf(caller.keyId) === id && Object.keys(byOthers).length > 0) throw new Problem('conflict', notOneself)
    const { row, ends } = await transact(database, async (tx) => {
      await assertStillGood(tx, caller.keyId, now())
      if (change.suspended === true || (change.role ?? 'administrator') !== 'administrator')
        await this.#assertNotLast(tx, id)
      const before = await findPerson(tx, id)
      if (!before) throw new Problem('person_not_found')
      const row = await changePerson(this.#context, tx, before, change, caller.keyId)
      const steps = before.role === 'administrator' && row.role !== 'administrator'
      const ends = row.suspended > before.suspended || steps
      if (ends) await this.#end(tx, id, { issued, people, person_ids }, caller.keyId)
      else if (issued !== 'keep' || people !== 'keep') throw new Problem('conflict', nothingEnds)
      return { row, ends }
    })
    if (ends) await settings.reread()
    return this.#shownOne(row)
  }

  /** Whoever administers no more must not have left a way back in. */
  async #end(tx: Tx, id: string, ending: Ending, by: string): Promise<void> {
    const start = actorIdOf(id)
    const { keys, suspended, demoted } = await this.#endings.endLetIn(this.#context, tx, { start, ending, by })
    const ids = [start, ...keys, ...[...suspended, ...demoted].map(actorIdOf)]
    await takeBackSetUp(this.#context, tx, ids, by)
  }

  /** @throws {Problem} `conflict` for the only administrator who can sign in */
  async #assertNotLast(tx: Tx, id: string): Promise<void> {
    const administrators = await holdAdministrators(this.#context.database, tx)
    if (administrators.length === 1 && administrators[0] === id) throw new Problem('conflict', lastAdministrator)
  }

  async endOne(id: string, session: string, caller: Caller): Promise<void> {
    const row = await this.#require(id)
    const count = await this.#endSessions(row, caller, session)
    if (count === 0) throw new Problem('session_not_found')
  }

  /** For somebody who has lost phone and recovery codes. They sign in with their password and set up again. */
  async resetFactors(id: string, caller: Caller): Promise<Person> {
    const { database, events, now } = this.#context
    if (personIdOf(caller.keyId) === id)
      throw new Problem('conflict', 'Change your own second factors under your account.')
    const reset = await transact(database, async (tx) => {
      await assertStillGood(tx, caller.keyId, now())
      const row = await findPerson(tx, id)
      if (!row) throw new Problem('person_not_found')
      const had = hasFactor(await readFactors(tx, id))
      await removeFactors(tx, id)
      // Told when they sign in: they may not have asked for it.
      if (had) await updatePerson(tx, id, { factors_reset_at: this.#now() })
      await endSessions(tx, id)
      await database.signals.notify(tx, 'keys')
      await events.factorsReset({ key_id: caller.keyId, person: id, name: row.name }, tx)
      return row
    })
    return this.#shownOne(reset)
  }

  async endAll(id: string, caller: Caller): Promise<Person> {
    const row = await this.#require(id)
    await this.#endSessions(row, caller)
    return this.#shownOne(row)
  }

  /** @param only one session of the person; all of them, when absent @returns how many there were */
  #endSessions({ id, name }: PersonRow, caller: Caller, only?: string): Promise<number> {
    const { database, events } = this.#context
    return transact(database, async (tx) => {
      const count = await endSessions(tx, id, only === undefined ? {} : { only })
      await database.signals.notify(tx, 'keys')
      if (count > 0 || only === undefined)
        await events.sessionsEnded({ key_id: caller.keyId, person: id, name, count }, tx)
      return count
    })
  }
}

/** What administrators do with people. */
export function peopleHandlers(context: GatewayContext, sessions: Sessions, endings: Endings) {
  const desk = new PeopleDesk(context, sessions, endings)
  return {
    listPeople: () => desk.list(),
    invitePerson: ({ body, caller }) => desk.invite(body, caller),
    renewInvitation: ({ params, caller }) => desk.renew(params.id, caller),
    updatePerson: ({ params, body, caller }) => desk.update(params.id, body, caller),
    getPersonLeavings: ({ params, query, caller }) => desk.leavings(params.id, endingOf(query), caller),
    listPersonSessions: ({ params, caller }) => desk.sessionsOf(params.id, caller),
    endPersonSession: async ({ params, caller }) => {
      await desk.endOne(params.id, params.session, caller)
    },
    endSessions: ({ params, caller }) => desk.endAll(params.id, caller),
    resetFactors: ({ params, caller }) => desk.resetFactors(params.id, caller),
  } satisfies Partial<Handlers>
}
