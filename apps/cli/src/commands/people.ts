import { type Person, roleNames, roles } from '@faxdeck/contract'
import { command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { usageFault } from '../fault.ts'
import { timeOf } from '../fax-lines.ts'

const rowOf = ({ id, name, email, role, state, last_sign_in_at: last }: Person) => [
  id,
  name,
  email,
  roles[role].label,
  state,
  last === null ? 'never' : timeOf(last),
]

const list = command({
  name: 'people list',
  takes: '',
  count: [0, 0],
  summary: 'Everybody with an account',
  options: {},
  examples: ['faxdeck people list'],
  async run(_given, { client, out }) {
    const people = await client.listPeople({})
    out.answer(people, () =>
      out.table(['Person', 'Name', 'E-mail', 'Role', 'State', 'Last signed in'], people.map(rowOf)),
    )
    return exitCodes.done
  },
})

function required(given: string | undefined, option: string): string {
  if (!given?.trim()) throw usageFault(`Give --${option}.`)
  return given
}

const invite = command({
  name: 'people invite',
  takes: '',
  count: [0, 0],
  summary: 'Add a person and print the link with which they choose a password',
  about: 'The link can be used once, within 72 hours. Hand it to nobody else.',
  options: {
    name: { type: 'string', value: '<name>', help: 'Their name.' },
    email: { type: 'string', value: '<address>', help: 'The e-mail address they sign in with.' },
    role: { type: 'string', value: '<role>', choices: roleNames, help: `One of ${roleNames.join(', ')}.` },
  },
  examples: ['faxdeck people invite --name "Jane Doe" --email jane.doe@clinic.example --role administrator'],
  async run({ options }, { client, out, url }) {
    const role = roleNames.find((each) => each === options.role)
    if (!role) throw usageFault(`Give --role. The roles are ${roleNames.join(', ')}.`)
    const body = { name: required(options.name, 'name'), email: required(options.email, 'email'), role }
    const { person, path } = await client.invitePerson({ body })
    out.note(`${person.name} can choose a password within 72 hours. The link is shown only once:`)
    out.answer({ person, link: url + path }, () => out.line(url + path))
    return exitCodes.done
  },
})

export const people = [list, invite]
