import type { Group } from '@faxdeck/contract'
import { command, type Desk, flag, option } from '../../command.ts'
import { usageFault } from '../../fault.ts'

const columns = ['Group', 'Name', 'Numbers', 'Sends from', 'People']

const rowOf = ({ id, name, numbers, calling_number, members }: Group) => [
  id,
  name,
  numbers.join(', '),
  calling_number ?? '',
  members.map((member) => `${member.name} (${member.id})`).join(', '),
]

function print(group: Group, { out }: Pick<Desk, 'out'>): void {
  out.answer(group, () => out.table(columns, [rowOf(group)]))
}

const list = command({
  name: 'groups list',
  summary: 'List groups with their numbers and people',
  examples: ['faxdeck groups list'],
  async run(_given, { client, out }) {
    const groups = await client.listGroups({})
    out.answer(groups, () => out.table(columns, groups.map(rowOf)))
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
  summary: 'Add a number or a person to a group, rename it, or choose the number it sends from',
  about:
    'Faxes received on the number from then on belong to the group. A number can belong to only one group. With --send-from, faxes of the group are sent from one of its numbers; none goes back to the number in the provider’s settings.',
  options: {
    name: option('<name>', 'Its new name.'),
    number: option('<number>', 'One of your fax numbers.'),
    person: option('<person>', 'The id of a person.'),
    'send-from': option('<number>', 'The number of the group to send from, or none.'),
  },
  examples: [
    'faxdeck groups change 8c41d2e6a09b --number +15555550100',
    'faxdeck groups change 8c41d2e6a09b --person 3f2a9c0b7d5e',
    'faxdeck groups change 8c41d2e6a09b --send-from +15555550100',
  ],
  async run({ words: [id = ''], options }, { client, out }) {
    const { name, number, person, 'send-from': from } = options
    if (given(name, number, person, from) !== 1)
      throw usageFault('Specify one of --name, --number, --person and --send-from.')
    const act = () => {
      if (name !== undefined) return client.renameGroup({ params: { id }, body: { name } })
      if (number !== undefined) return client.addGroupNumber({ params: { id, number } })
      if (person !== undefined) return client.addGroupMember({ params: { id, person } })
      return client.setGroupCallingNumber({ params: { id }, body: { number: from === 'none' ? null : (from ?? null) } })
    }
    print(await act(), { out })
  },
})

const remove = command({
  name: 'groups remove',
  takes: '<group>',
  summary: 'Remove a number or a person from a group, or delete the group',
  about: 'The faxes of a deleted group stay. People who see all faxes, and those who sent them, still see them.',
  options: {
    number: option('<number>', 'The number to remove.'),
    person: option('<person>', 'The id of the person to remove.'),
    all: flag('Delete the whole group.'),
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
