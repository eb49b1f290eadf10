import { type ApiKey, type FaxAccess, faxAccesses, type Scope, scopes } from '@faxdeck/contract'
import { command, type Desk, option } from '../../command.ts'
import { oneOf, usageFault } from '../../fault.ts'
import { timeOf } from '../../terminal/fax-lines.ts'
import { endingOf, endingOptions } from './ending.ts'

const whenOf = (instant: string | null, never: string) => (instant === null ? never : timeOf(instant))

const rowOf = (key: ApiKey) => [
  key.key_id,
  key.name ?? '',
  key.owner ?? '',
  key.scopes.join(' '),
  key.fax_access,
  whenOf(key.last_used_at, 'never used'),
  whenOf(key.expires_at, 'never'),
]

const list = command({
  name: 'keys list',
  summary: 'List active API keys',
  examples: ['faxdeck keys list'],
  async run(_given, { client, out }) {
    const keys = await client.listApiKeys({})
    out.answer(keys, () =>
      out.table(['Key', 'Name', 'Owner', 'Scopes', 'Faxes', 'Last used', 'Expires'], keys.map(rowOf)),
    )
  },
})

const seen: Readonly<Record<FaxAccess, string>> = {
  own: 'the faxes sent with it, and no received faxes',
  by_id: 'the faxes sent with it, any other whose id it knows, and received faxes if its scopes allow',
  all: 'all faxes',
}

/** The token stands alone on standard output, so that a script can take it. */
function print({ out }: Desk, key: ApiKey & { token: string }): void {
  const sees = `It sees ${seen[key.fax_access]}.`
  out.note(`Key ${key.key_id}, with ${key.scopes.join(', ')}. ${sees} Its token is shown only once:`)
  out.answer(key, () => out.line(key.token))
}

function scopesOf(given: readonly string[] | undefined): Scope[] | undefined {
  return given
    ?.flatMap((text) => text.split(','))
    .map((text) => oneOf(scopes, text.trim(), `There is no scope "${text}". The scopes are ${scopes.join(', ')}.`))
}

const accessOf = (given = 'own'): FaxAccess =>
  oneOf(faxAccesses, given, `"${given}" is not a choice of --faxes. The choices are ${faxAccesses.join(', ')}.`)

function instantOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const time = new Date(given)
  if (Number.isNaN(time.getTime())) throw usageFault(`"${given}" is not a date. Write it like 2027-01-31.`)
  return time.toISOString()
}

const create = command({
  name: 'keys create',
  summary: 'Create an API key and print its token',
  options: {
    name: option('<name>', 'What it is for.'),
    owner: option('<owner>', 'Who holds it.'),
    scope: option('<scope>', 'What it can do; can be repeated. Defaults to fax:send and fax:read.', {
      multiple: true,
      choices: scopes,
    }),
    faxes: option(
      '<which>',
      'Which faxes it sees: own, those sent with it, and no received ones; by_id, also any whose id it knows; all. Defaults to own.',
      { choices: faxAccesses },
    ),
    expires: option('<day>', 'When it expires, such as 2027-01-31. Never by default.'),
  },
  examples: ['faxdeck keys create --name "Front desk" --scope fax:send --scope fax:read --expires 2027-01-31'],
  async run({ options }, desk) {
    const { name, owner } = options
    const body = {
      name,
      owner,
      fax_access: accessOf(options.faxes),
      scopes: scopesOf(options.scope),
      expires_at: instantOf(options.expires),
    }
    print(desk, await desk.client.createApiKey({ body }))
  },
})

const rotate = command({
  name: 'keys rotate',
  takes: '<key>',
  summary: 'Replace the secret of a key and print the new token',
  about: 'The old token stops working immediately.',
  examples: ['faxdeck keys rotate 0a1b2c3d4e5f'],
  async run({ words: [id = ''] }, desk) {
    print(desk, await desk.client.rotateApiKey({ params: { id } }))
  },
})

const letInBy = async (client: Desk['client'], id: string) =>
  (await client.getKeyLeavings({ params: { id }, query: {} })).people

/** What was undone with a key, as the gateway lists it, and how that is said. */
const undone = [
  ['revoked', 'Revoked'],
  ['settings_undone', 'Settings undone'],
  ['plugins_undone', 'Plugins undone'],
  ['webhooks_paused', 'Webhooks paused'],
  ['people_suspended', 'People suspended'],
  ['people_demoted', 'People made Senders'],
] as const
type Undone = (typeof undone)[number][0]

const revoke = command({
  name: 'keys revoke',
  takes: '<key>…',
  max: 100,
  summary: 'Revoke keys permanently',
  about:
    'Open streams and pairing codes of the key end as well. Access settings that it changed are reverted, plugins that it installed are removed, and its webhooks are paused.',
  options: endingOptions,
  examples: ['faxdeck keys revoke 0a1b2c3d4e5f', 'faxdeck keys revoke 0a1b2c3d4e5f --issued --people suspend'],
  async run({ words, options }, { client, out }) {
    const query = endingOf(options)
    const staying = new Set<string>()
    const done = Object.fromEntries(undone.map(([field]) => [field, new Set<string>()])) as Record<Undone, Set<string>>
    for (const id of words.filter((word) => !done.revoked.has(word))) {
      if (query.people === 'keep') for (const { name } of await letInBy(client, id)) staying.add(name)
      const answer = await client.revokeApiKey({ params: { id }, query })
      for (const [field] of undone) for (const each of answer[field]) done[field].add(each)
    }
    const all = Object.fromEntries(undone.map(([field]) => [field, [...done[field]]]))
    out.answer(all, () => {
      for (const [field, heading] of undone)
        if (field === 'revoked' || done[field].size > 0) out.line(`${heading}: ${[...done[field]].join(', ')}.`)
    })
    if (staying.size > 0)
      out.note(`People whom these let in stay: ${[...staying].join(', ')}. Suspend with faxdeck people change.`)
  },
})

export const keys = [list, create, rotate, revoke]
