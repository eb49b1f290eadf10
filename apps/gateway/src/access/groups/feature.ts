import { randomBytes } from 'node:crypto'
import { type Group, maxGroups, maxInGroup } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { GroupRow } from '../../base/db/tables/groups.ts'
import { transact } from '../../base/db/transact.ts'
import type { Feature } from '../../base/feature.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { Caller, Handlers } from '../../base/http/handler.ts'
import { readNumber, soughtNumber } from '../../base/number.ts'
import { personIdOf } from '../actors/person-id.ts'
import { assertStillGood } from '../actors/still-good.ts'
import { visibleReceived } from '../visible.ts'
import { breakGlass } from './break-glass.ts'
import * as store from './store.ts'

interface Of {
  params: { id: string }
  caller: Caller
}

const taken = () => new Problem('conflict', 'A group with this name already exists. Choose another name.')

async function shown(tx: Tx, id: string): Promise<Group> {
  const [group] = await store.readGroups(tx, id)
  if (!group) throw new Problem('group_not_found')
  return group
}

/** The group, which nobody else changes before the transaction ends. @throws {Problem} `group_not_found` */
async function hold({ now }: GatewayContext, tx: Tx, { params, caller }: Of): Promise<GroupRow> {
  await assertStillGood(tx, caller.keyId, now())
  const group = await store.holdGroup(tx, params.id)
  if (!group) throw new Problem('group_not_found')
  return group
}

/** Changes a group in one transaction with its entry in the audit trail. @returns the group as it is then */
const change = (context: GatewayContext, of: Of, work: (tx: Tx, group: GroupRow) => Promise<void>): Promise<Group> =>
  transact(context.database, async (tx) => {
    await work(tx, await hold(context, tx, of))
    return shown(tx, of.params.id)
  })

function numberHandlers(context: GatewayContext) {
  const { events, settings } = context
  const country = () => settings.current().default_country
  return {
    addGroupNumber: (call) => {
      const number = readNumber(call.params.number, country())
      return change(context, call, async (tx, { id, name }) => {
        const { numbers } = await shown(tx, id)
        if (numbers.includes(number)) return
        if (numbers.length >= maxInGroup)
          throw new Problem('conflict', `A group can have at most ${maxInGroup} numbers.`)
        if (!(await store.insertNumber(tx, id, number))) {
          const owner = await shown(tx, (await store.ownerOf(tx, number)) ?? '')
          throw new Problem('conflict', `${number} belongs to ${owner.name}. Remove it there first.`)
        }
        await events.groupNumberAdded({ key_id: call.caller.keyId, group: id, name, number }, tx)
      })
    },
    removeGroupNumber: (call) => {
      const number = soughtNumber(call.params.number, country())
      return change(context, call, async (tx, { id, name, calling_number: calling }) => {
        if (!(await store.removeNumber(tx, id, number))) return
        if (calling === number) await store.setCallingNumber(tx, id, null)
        await events.groupNumberRemoved({ key_id: call.caller.keyId, group: id, name, number }, tx)
      })
    },
    /** The number that its faxes come from; null for that of the line. */
    setGroupCallingNumber: (call) => {
      const number = call.body.number === null ? null : readNumber(call.body.number, country())
      return change(context, call, async (tx, { id, name, calling_number: before }) => {
        const { numbers } = await shown(tx, id)
        if (number !== null && !numbers.includes(number))
          throw new Problem('conflict', `${number} is not a number of ${name}. Add it to the group first.`)
        if (number === before) return
        await store.setCallingNumber(tx, id, number)
        await events.groupCallingNumberSet({ key_id: call.caller.keyId, group: id, name, number }, tx)
      })
    },
  } satisfies Partial<Handlers>
}

/** Streams that are open are judged again: what their callers see has changed. */
const notifyStreams = ({ database }: GatewayContext, tx: Tx) => database.signals.notify(tx, 'keys')

function memberHandlers(context: GatewayContext) {
  const { events } = context
  return {
    addGroupMember: (call) =>
      change(context, call, async (tx, { id, name }) => {
        const { person } = call.params
        const found = await tx.selectFrom('people').select('id').where('id', '=', person).executeTakeFirst()
        if (!found) throw new Problem('person_not_found')
        const { members } = await shown(tx, id)
        if (members.length >= maxInGroup)
          throw new Problem('conflict', `A group can have at most ${maxInGroup} people.`)
        if (!(await store.insertMember(tx, id, person))) return
        await notifyStreams(context, tx)
        await events.groupMemberAdded({ key_id: call.caller.keyId, group: id, name, person }, tx)
      }),
    removeGroupMember: (call) =>
      change(context, call, async (tx, { id, name }) => {
        const { person } = call.params
        if (!(await store.removeMember(tx, id, person))) return
        await notifyStreams(context, tx)
        await events.groupMemberRemoved({ key_id: call.caller.keyId, group: id, name, person }, tx)
      }),
  } satisfies Partial<Handlers>
}

/** Deletes a group, if every room agrees that holds something of it. */
export const deleteGroup = (context: GatewayContext, of: Of): Promise<void> =>
  transact(context.database, async (tx) => {
    const { id, name } = await hold(context, tx, of)
    for (const answer of context.moments.groupEnds) await answer(tx, { id, name })
    const { numbers, members } = await shown(tx, id)
    await store.removeGroup(tx, id)
    await notifyStreams(context, tx)
    const facts = { key_id: of.caller.keyId, group: id, name, numbers, people: members.map((each) => each.id) }
    await context.events.groupDeleted(facts, tx)
  })

function groupHandlers(context: GatewayContext) {
  const { database, events, now } = context
  return {
    listOwnGroups: async ({ caller }) => {
      const groups = await store.readOwnGroups(database.db, personIdOf(caller.keyId))
      return visibleReceived(caller) === 'all' ? groups : groups.filter(({ member }) => member)
    },
    listGroups: () => store.readGroups(database.db),
    createGroup: ({ body: { name }, caller }) => {
      const [id, name_key, created_at] = [randomBytes(6).toString('hex'), store.nameKeyOf(name), now().toISOString()]
      return transact(database, async (tx) => {
        await assertStillGood(tx, caller.keyId, now())
        if ((await store.readGroups(tx)).length >= maxGroups)
          throw new Problem('conflict', `There are ${maxGroups} groups already. Delete one that is not used.`)
        const row = { id, name, name_key, created_at, created_by: caller.keyId, calling_number: null }
        if (!(await store.insertGroup(tx, row))) throw taken()
        await events.groupCreated({ key_id: caller.keyId, group: id, name }, tx)
        return shown(tx, id)
      })
    },
    renameGroup: (call) =>
      change(context, call, async (tx, { id, name: was }) => {
        const { name } = call.body
        if (!(await store.renameGroup(tx, id, name))) throw taken()
        if (was !== name) await events.groupRenamed({ key_id: call.caller.keyId, group: id, name, was }, tx)
      }),
    deleteGroup: async (call) => {
      await deleteGroup(context, call)
    },
  } satisfies Partial<Handlers>
}

/** Groups: which numbers they own and who is in them. */
export const createGroups = (context: GatewayContext) =>
  ({
    name: 'groups',
    routes: {
      ...groupHandlers(context),
      ...numberHandlers(context),
      ...memberHandlers(context),
      openFax: ({ params, body, caller }) => breakGlass(context, params.id, body.reason, caller),
    },
  }) satisfies Feature
