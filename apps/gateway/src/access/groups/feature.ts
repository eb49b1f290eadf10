import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { visibleReceived } from '../visible.ts'
import { personIdOf } from '../actors/person-id.ts'
import { breakGlass } from './break-glass.ts'
import { GroupDesk } from './group-desk.ts'
import { readGroups, readOwnGroups } from './store.ts'

/** Groups: which numbers they own and who is in them. */
export function createGroups(context: GatewayContext) {
  const { db } = context.database
  const desk = new GroupDesk(context)
  return {
    name: 'groups',
    routes: {
      listOwnGroups: async ({ caller }) => {
        const groups = await readOwnGroups(db, personIdOf(caller.keyId))
        return visibleReceived(caller) === 'all' ? groups : groups.filter(({ member }) => member)
      },
      openFax: ({ params, body, caller }) => breakGlass(context, params.id, body.reason, caller),
      listGroups: () => readGroups(db),
      createGroup: ({ body, caller }) => desk.create(body.name, caller),
      renameGroup: ({ params, body, caller }) => desk.rename(params.id, body.name, caller),
      deleteGroup: ({ params, caller }) => desk.remove(params.id, caller),
      addGroupNumber: ({ params, caller }) => desk.addNumber(params.id, params.number, caller),
      removeGroupNumber: ({ params, caller }) => desk.removeNumber(params.id, params.number, caller),
      setGroupCallingNumber: ({ params, body, caller }) => desk.setCallingNumber(params.id, body.number, caller),
      addGroupMember: ({ params, caller }) => desk.addMember(params.id, params.person, caller),
      removeGroupMember: ({ params, caller }) => desk.removeMember(params.id, params.person, caller),
    },
  } satisfies Feature
}
