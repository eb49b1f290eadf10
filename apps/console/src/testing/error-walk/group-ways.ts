import type { RouteName } from '@faxdeck/contract'
import { addGroup } from '../../demo/people/fake-groups.ts'
import { addPerson } from '../../demo/people/fake-people.ts'
import type { World } from '../../demo/world.ts'
import { choose, enter, type Way } from './steps.ts'

const place = 'people/groups'
const withGroup = (world: World) => {
  const { id, name } = addPerson(world, { name: 'Jane Doe' })
  addPerson(world, { name: 'John Roe', role: 'member' })
  return addGroup(world, { name: 'Cardiology', numbers: ['+15555550100'], members: [{ id, name }] }).id
}

export const groupWays = {
  listGroups: { place },
  listPeople: { place, world: withGroup },
  createGroup: { place, world: () => 'new', steps: [enter('Name', 'Ward 4'), 'Add'] },
  renameGroup: { place, world: withGroup, steps: [enter('Name', 'Ward 4'), 'Rename'] },
  deleteGroup: { place, world: withGroup, steps: ['Delete group…', 'Delete'] },
  addGroupNumber: { place, world: withGroup, steps: [enter('Add a number', '+15555550101'), 'Add number'] },
  setGroupCallingNumber: { place, world: withGroup, steps: [choose('Send from', '+15555550100')] },
  removeGroupNumber: { place, world: withGroup, steps: ['Remove +15555550100'] },
  addGroupMember: {
    place,
    world: withGroup,
    steps: [choose('Add a person', 'John Roe, Member'), 'Add person'],
  },
  removeGroupMember: { place, world: withGroup, steps: ['Remove Jane Doe'] },
} as const satisfies Partial<Record<RouteName, Way>>
