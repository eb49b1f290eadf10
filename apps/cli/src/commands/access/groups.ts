import type { Group } from '@faxdeck/contract'
import { command, type Desk } from '../../command.ts'
import { usageFault } from '../../fault.ts'

const rowOf = ({ id, name, numbers, members }: Group) => [
  id,
  name,
  numbers.join(', '),
  members.map((member) => `${member.name} (${member.id})`).join(', '),
]

function print(group: Group, { out }: Pick<Desk, 'out'>): void {
  out.answer(group, () => out.table(['Group', 'Name', 'Numbers', 'People'], [rowOf(group)]))
}

const list = command({
  name: 'groups list',
  summary: 'List groups with their numbers and people',
  examples: ['faxdeck groups list'],
  async run(_given, { client, out }) {
    const groups = await client.listGroups({})
    out.answer(groups, () => out.table(['Group', 'Name', 'Numbers', 'People'], groups.map(rowOf)))
  },
})

const add = command({
  name: 'groups add',
  takes: '<name>',
  summary: 'Add a group',
  examples: ['faxdeck groups add Cardiology'],
  async run({ words: [name = ''] }, { client, out }) {
    print(await client.createGroup({ body: { name } }), { out })
  },
})

const given = (...options: readonly (string | undefined)[]) => options.filter((each) => each !== undefined).length

const change = command({
  name: 'groups change',
  takes: '<group>',
  summary: 'Add a number or a person to a group, or rename it',
  about: 'Faxes received on the number from then on belong to the group. A number can belong to only one group.',
  options: {
    name: { type: 'string', value: '<name>', help: 'Its new name.' },
    number: { type: 'string', value: '<number>', help: 'One of your fax numbers.' },
    person: { type: 'string', value: '<person>', help: 'The id of a person.' },
  },
  examples: [
    'faxdeck groups change 8c41d2e6a09b --number +15555550100',
    'faxdeck groups change 8c41d2e6a09b --person 3f2a9c0b7d5e',
  ],
  async run({ words: [id = ''], options }, { client, out }) {
    const { name, number, person } = options
    if (given(name, number, person) !== 1) throw usageFault('Specify one of --name, --number and --person.')
    const done =
      name !== undefined
        ? client.renameGroup({ params: { id }, body: { name } })
        : number !== undefined
          ? client.addGroupNumber({ params: { id, number } })
          : client.addGroupMember({ params: { id, person: person ?? '' } })
    print(await done, { out })
  },
})

const remove = command({
  name: 'groups remove',
  takes: '<group>',
  summary: 'Remove a number or a person from a group, or delete the group',
  about: 'The faxes of a deleted group stay. People who see all faxes, and those who sent them, still see them.',
  options: {
    number: { type: 'string', value: '<number>', help: 'The number to remove.' },
    person: { type: 'string', value: '<person>', help: 'The id of the person to remove.' },
    all: { type: 'boolean', help: 'Delete the whole group.' },
  },
  examples: ['faxdeck groups remove 8c41d2e6a09b --person 3f2a9c0b7d5e', 'faxdeck groups remove 8c41d2e6a09b --all'],
  async run({ words: [id = ''], options }, { client, out }) {
    const { number, person, all = false } = options
    if (given(number, person) + Number(all) !== 1) throw usageFault('Specify one of --number, --person and --all.')
    if (all) {
      await client.deleteGroup({ params: { id } })
      out.answer({ deleted: id }, () => out.line('The group is deleted.'))
      return
    }
    const done =
      number !== undefined
        ? client.removeGroupNumber({ params: { id, number } })
        : client.removeGroupMember({ params: { id, person: person ?? '' } })
    print(await done, { out })
  },
})

export const groups = [list, add, change, remove]
