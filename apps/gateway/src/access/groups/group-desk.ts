import { randomBytes } from 'node:crypto'
import { type Group, maxGroups, maxInGroup } from '@faxdeck/contract'
import { assertStillGood } from '../actors/still-good.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { GroupRow } from '../../base/db/tables/groups.ts'
import { transact } from '../../base/db/transact.ts'
import { readNumber, soughtNumber } from '../../base/number.ts'
import type { Caller } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import * as store from './store.ts'

const taken = () => new Problem('conflict', 'A group with this name already exists. Choose another name.')

const shown = async (tx: Tx, id: string): Promise<Group> => {
  const [group] = await store.readGroups(tx, id)
  if (!group) throw new Problem('group_not_found')
  return group
}

/** Everything that an administrator does with groups, each in one transaction with its entry in the audit trail. */
export class GroupDesk {
  readonly #context: GatewayContext

  constructor(context: GatewayContext) {
    this.#context = context
  }

  /** Does something to a group that nobody else changes meanwhile. @throws {Problem} `group_not_found` */
  #change<T>(id: string, caller: Caller, work: (tx: Tx, group: GroupRow) => Promise<T>): Promise<T> {
    const { database, now } = this.#context
    return transact(database, async (tx) => {
      await assertStillGood(tx, caller.keyId, now())
      const group = await store.holdGroup(tx, id)
      if (!group) throw new Problem('group_not_found')
      return work(tx, group)
    })
  }

  /** What somebody sees has changed: streams that are open are judged again. */
  #notifyStreams = (tx: Tx) => this.#context.database.signals.notify(tx, 'keys')

  #number = (typed: string) => readNumber(typed, this.#context.settings.current().default_country)

  create(name: string, caller: Caller): Promise<Group> {
    const { database, events, now } = this.#context
    const key = store.nameKeyOf(name)
    const row = {
      id: randomBytes(6).toString('hex'),
      name,
      name_key: key,
      created_at: now().toISOString(),
      created_by: caller.keyId,
      calling_number: null,
    }
    return transact(database, async (tx) => {
      await assertStillGood(tx, caller.keyId, now())
      if ((await store.readGroups(tx)).length >= maxGroups)
        throw new Problem('conflict', `There are ${maxGroups} groups already. Delete one that is not used.`)
      if (!(await store.insertGroup(tx, row))) throw taken()
      await events.groupCreated({ key_id: caller.keyId, group: row.id, name }, tx)
      return shown(tx, row.id)
    })
  }

  rename(id: string, name: string, caller: Caller): Promise<Group> {
    return this.#change(id, caller, async (tx, before) => {
      if (!(await store.renameGroup(tx, id, name))) throw taken()
      if (before.name !== name)
        await this.#context.events.groupRenamed({ key_id: caller.keyId, group: id, name, was: before.name }, tx)
      return shown(tx, id)
    })
  }

  remove(id: string, caller: Caller): Promise<undefined> {
    return this.#change(id, caller, async (tx, { name }) => {
      for (const answer of this.#context.moments.groupEnds) await answer(tx, { id, name })
      const { numbers, members } = await shown(tx, id)
      await store.removeGroup(tx, id)
      await this.#notifyStreams(tx)
      const facts = { key_id: caller.keyId, group: id, name, numbers, people: members.map((each) => each.id) }
      await this.#context.events.groupDeleted(facts, tx)
      return undefined
    })
  }

  addNumber(id: string, typed: string, caller: Caller): Promise<Group> {
    const number = this.#number(typed)
    return this.#change(id, caller, async (tx, { name }) => {
      const before = await shown(tx, id)
      if (before.numbers.includes(number)) return before
      if (before.numbers.length >= maxInGroup)
        throw new Problem('conflict', `A group can have at most ${maxInGroup} numbers.`)
      if (!(await store.insertNumber(tx, id, number))) {
        const owner = await shown(tx, (await store.ownerOf(tx, number)) ?? '')
        throw new Problem('conflict', `${number} belongs to ${owner.name}. Remove it there first.`)
      }
      await this.#context.events.groupNumberAdded({ key_id: caller.keyId, group: id, name, number }, tx)
      return shown(tx, id)
    })
  }

  removeNumber(id: string, typed: string, caller: Caller): Promise<Group> {
    const number = soughtNumber(typed, this.#context.settings.current().default_country)
    return this.#change(id, caller, async (tx, { name, calling_number: calling }) => {
      if (await store.removeNumber(tx, id, number)) {
        if (calling === number) await store.setCallingNumber(tx, id, null)
        await this.#context.events.groupNumberRemoved({ key_id: caller.keyId, group: id, name, number }, tx)
      }
      return shown(tx, id)
    })
  }

  /** Which number its faxes come from from now on; null for that of the line. */
  setCallingNumber(id: string, typed: string | null, caller: Caller): Promise<Group> {
    const number = typed === null ? null : this.#number(typed)
    return this.#change(id, caller, async (tx, { name, calling_number: before }) => {
      const { numbers } = await shown(tx, id)
      if (number !== null && !numbers.includes(number))
        throw new Problem('conflict', `${number} is not a number of ${name}. Add it to the group first.`)
      if (number !== before) {
        await store.setCallingNumber(tx, id, number)
        await this.#context.events.groupCallingNumberSet({ key_id: caller.keyId, group: id, name, number }, tx)
      }
      return shown(tx, id)
    })
  }

  addMember(id: string, person: string, caller: Caller): Promise<Group> {
    return this.#change(id, caller, async (tx, { name }) => {
      const found = await tx.selectFrom('people').select('id').where('id', '=', person).executeTakeFirst()
      if (!found) throw new Problem('person_not_found')
      const { members } = await shown(tx, id)
      if (members.length >= maxInGroup) throw new Problem('conflict', `A group can have at most ${maxInGroup} people.`)
      if (await store.insertMember(tx, id, person)) {
        await this.#notifyStreams(tx)
        await this.#context.events.groupMemberAdded({ key_id: caller.keyId, group: id, name, person }, tx)
      }
      return shown(tx, id)
    })
  }

  removeMember(id: string, person: string, caller: Caller): Promise<Group> {
    return this.#change(id, caller, async (tx, { name }) => {
      if (await store.removeMember(tx, id, person)) {
        await this.#notifyStreams(tx)
        await this.#context.events.groupMemberRemoved({ key_id: caller.keyId, group: id, name, person }, tx)
      }
      return shown(tx, id)
    })
  }
}
