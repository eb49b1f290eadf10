import type { Group } from '@faxdeck/contract'
import { type FakeCalls, findIn, found, Refusal } from '../fake-calls.ts'
import { addEvent } from '../records/fake-logs.ts'
import { instantOf, type World } from '../world.ts'
import { openingCalls } from './fake-openings.ts'

/** A group in the world. */
export function addGroup(world: World, fields: Partial<Group>): Group {
  const group: Group = {
    id: world.nextId(12),
    name: 'Cardiology',
    numbers: [],
    calling_number: null,
    members: [],
    created_at: instantOf(world.now()),
    ...fields,
  }
  world.groups.push(group)
  return group
}

const findGroup = (world: World) => (wanted: string) =>
  findIn(world.groups, ({ id }) => id === wanted, 'group_not_found')

/** Who and which numbers are in a group. */
function belongingCalls(world: World) {
  const find = findGroup(world)
  return {
    addGroupNumber: ({ params: { id, number } }) => {
      const owner = world.groups.find(({ numbers }) => numbers.includes(number))
      if (owner && owner.id !== id)
        throw new Refusal('conflict', `${number} belongs to ${owner.name}. Remove it there first.`)
      const group = find(id)
      if (!owner) group.numbers.push(number)
      return group
    },
    removeGroupNumber: ({ params: { id, number } }) => {
      const group = find(id)
      group.numbers = group.numbers.filter((each) => each !== number)
      if (group.calling_number === number) group.calling_number = null
      return group
    },
    setGroupCallingNumber: ({ params, body: { number } }) => {
      const group = find(params.id)
      if (number !== null && !group.numbers.includes(number))
        throw new Refusal('conflict', `${number} is not a number of ${group.name}. Add it to the group first.`)
      group.calling_number = number
      return group
    },
    addGroupMember: ({ params }) => {
      const group = find(params.id)
      const person = world.people.find(({ id }) => id === params.person)
      const { id, name } = found(person, 'person_not_found')
      group.members.push({ id, name })
      return group
    },
    removeGroupMember: ({ params }) => {
      const group = find(params.id)
      group.members = group.members.filter(({ id }) => id !== params.person)
      return group
    },
  } satisfies FakeCalls
}

export function groupCalls(world: World) {
  const find = findGroup(world)
  const assertFree = (name: string, except?: string) => {
    const isTaken = world.groups.some((each) => each.id !== except && each.name.toLowerCase() === name.toLowerCase())
    if (isTaken) throw new Refusal('conflict', 'A group with this name already exists. Choose another name.')
  }
  const inGroup = ({ members }: Group) => members.some(({ id }) => id === world.signedIn)
  return {
    listOwnGroups: () => {
      const person = world.people.find(({ id }) => id === world.signedIn)
      const seesAll = !person || person.role === 'administrator' || person.role === 'operator'
      const own = world.groups.map((group) => ({ id: group.id, name: group.name, member: inGroup(group) }))
      return own.filter(({ member }) => seesAll || member)
    },
    ...openingCalls(world),
    listGroups: () => world.groups,
    createGroup: ({ body }) => {
      assertFree(body.name)
      const group = addGroup(world, body)
      addEvent(world, 'group_created', { group: group.id })
      return group
    },
    renameGroup: ({ params, body }) => {
      assertFree(body.name, params.id)
      return Object.assign(find(params.id), body)
    },
    deleteGroup: ({ params }) => {
      world.groups.splice(world.groups.indexOf(find(params.id)), 1)
    },
    ...belongingCalls(world),
  } satisfies FakeCalls
}
