import { type Person, type Role, roleNames, roles } from '@faxdeck/contract'
import { command, type Desk, flag, option } from '../../command.ts'
import { oneOf, required, usageFault } from '../../fault.ts'
import { timeOf } from '../../terminal/fax-lines.ts'
import { endingOf, endingOptions } from './ending.ts'

const rowOf = ({ id, name, email, role, state, invited_by: by, last_sign_in_at: last }: Person) => [
  id,
  name,
  email,
  roles[role].label,
  state,
  by.name ?? by.id,
  last === null ? 'never' : timeOf(last),
]

const list = command({
  name: 'people list',
  summary: 'List people with an account',
  examples: ['faxdeck people list'],
  async run(_given, { client, out }) {
    const people = await client.listPeople({})
    out.answer(people, () =>
      out.table(['Person', 'Name', 'Email', 'Role', 'State', 'Invited by', 'Last signed in'], people.map(rowOf)),
    )
  },
})

const roleOf = (given: string | undefined): Role =>
  oneOf(roleNames, given, `Specify --role. The roles are ${roleNames.join(', ')}.`)

/** The link stands alone on standard output, so that a script can take it. */
function printLink({ person, path }: { person: Person; path: string }, { out, url }: Pick<Desk, 'out' | 'url'>): void {
  out.note(`${person.name} can choose a password within 72 hours. The link is shown only once:`)
  out.answer({ person, link: url + path }, () => out.line(url + path))
}

const invite = command({
  name: 'people invite',
  summary: 'Add a person and print a link for choosing a password',
  about: 'The link can be used once, within 72 hours. Give it only to that person.',
  options: {
    name: option('<name>', 'The name of the person.'),
    email: option('<address>', 'The email address they sign in with.'),
    role: option('<role>', `One of ${roleNames.join(', ')}.`, { choices: roleNames }),
  },
  examples: ['faxdeck people invite --name "Jane Doe" --email jane.doe@clinic.example --role administrator'],
  async run({ options }, { client, out, url }) {
    const { name, email, role } = options
    const body = { name: required(name, 'name'), email: required(email, 'email'), role: roleOf(role) }
    printLink(await client.invitePerson({ body }), { out, url })
  },
})

const link = command({
  name: 'people link',
  takes: '<person>',
  summary: 'Print a new link for somebody whose link expired or who forgot the password',
  about: 'The previous link stops working. The password stays until the new link is used.',
  examples: ['faxdeck people link 3f2a9c0b7d5e'],
  async run({ words: [id = ''] }, { client, out, url }) {
    printLink(await client.renewInvitation({ params: { id } }), { out, url })
  },
})

const change = command({
  name: 'people change',
  takes: '<person>',
  summary: 'Change the name, email address or role of a person, suspend them or let them back in',
  about:
    'Suspending and another email address end their sessions and their link immediately. --issued and --people say what happens to the keys and people that they let in, when they are suspended or are no longer an administrator.',
  options: {
    name: option('<name>', 'The new name.'),
    email: option('<address>', 'The new email address they sign in with.'),
    role: option('<role>', `One of ${roleNames.join(', ')}.`, { choices: roleNames }),
    suspend: flag('They can no longer sign in.'),
    restore: flag('They can sign in again.'),
    ...endingOptions,
  },
  examples: [
    'faxdeck people change 3f2a9c0b7d5e --role sender',
    'faxdeck people change 3f2a9c0b7d5e --suspend --issued --people suspend',
  ],
  async run({ words: [id = ''], options }, { client, out }) {
    const { suspend = false, restore = false } = options
    if (suspend && restore) throw usageFault('Specify --suspend or --restore, not both.')
    const given = [options.role, options.name, options.email]
    if (!suspend && !restore && given.every((value) => value === undefined))
      throw usageFault('Specify --name, --email, --role, --suspend or --restore.')
    const name = options.name === undefined ? {} : { name: required(options.name, 'name') }
    const email = options.email === undefined ? {} : { email: required(options.email, 'email') }
    const role = options.role === undefined ? {} : { role: roleOf(options.role) }
    const ending = options.issued || options.people ? endingOf(options) : {}
    const body = { ...name, ...email, ...role, ...(suspend || restore ? { suspended: suspend } : {}), ...ending }
    const person = await client.updatePerson({ params: { id }, body })
    out.answer(person, () => out.line(`${person.name}: ${roles[person.role].label}, ${person.state}`))
  },
})

const sessions = command({
  name: 'people sessions',
  takes: '<person>',
  summary: 'List the sessions of a person',
  examples: ['faxdeck people sessions 3f2a9c0b7d5e'],
  async run({ words: [id = ''] }, { client, out }) {
    const open = await client.listPersonSessions({ params: { id } })
    const rows = open.map((each) => [
      each.id,
      timeOf(each.created_at),
      timeOf(each.active_at),
      each.address,
      each.browser,
    ])
    out.answer(open, () => out.table(['Session', 'Signed in', 'Last active', 'Address', 'Browser'], rows))
  },
})

const signOut = command({
  name: 'people sign-out',
  takes: '<person>',
  summary: 'End every session of a person, or one of them',
  options: {
    session: option('<session>', 'Only this session; "faxdeck people sessions" lists the ids.'),
  },
  examples: ['faxdeck people sign-out 3f2a9c0b7d5e', 'faxdeck people sign-out 3f2a9c0b7d5e --session 8d01f2a7c6b3'],
  async run({ words: [id = ''], options: { session } }, { client, out }) {
    if (session !== undefined) {
      await client.endPersonSession({ params: { id, session } })
      out.answer({ ended: session }, () => out.line('The session has ended.'))
      return
    }
    const person = await client.endSessions({ params: { id } })
    out.answer(person, () => out.line(`${person.name} is signed out everywhere.`))
  },
})

const resetFactors = command({
  name: 'people reset-factors',
  takes: '<person>',
  summary: 'Remove passkeys, authenticator app and recovery codes of a person who has lost them',
  about: 'Every session of the person ends. Make sure that the request really comes from them.',
  examples: ['faxdeck people reset-factors 3f2a9c0b7d5e'],
  async run({ words: [id = ''] }, { client, out }) {
    const person = await client.resetFactors({ params: { id } })
    out.answer(person, () => out.line(`${person.name} signs in with the password alone until they set up a new one.`))
  },
})

export const people = [list, invite, link, change, sessions, signOut, resetFactors]
