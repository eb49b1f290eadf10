import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { CallProblem, type Client, type DescribedSetting } from '@faxdeck/contract'
import { adviceAbout, parseEnvFile } from '@faxdeck/settings'
import { command, type Desk, flag } from '../../command.ts'
import { exitCodes } from '../../exit-codes.ts'
import { Fault, usageFault } from '../../fault.ts'
import { forceOption, writeWhole } from '../../terminal/write-file.ts'

type Rows = readonly DescribedSetting[]

/** @throws {Fault} when nothing is called that, neither on the wire nor in the environment */
function rowOf(rows: Rows, name: string): DescribedSetting {
  const row = rows.find(({ key, env }) => key === name || env === name)
  if (!row) throw usageFault(`There is no setting "${name}". faxdeck settings get lists them.`)
  return row
}

/** The key of a setting; a name that is not known here is left to the gateway, which reports all such names at once. */
const keyOf = (rows: Rows, name: string) => rows.find(({ key, env }) => key === name || env === name)?.key ?? name

/** What a setting is called in the environment. */
const nameOf = (rows: Rows, key: string) => rows.find((row) => row.key === key)?.env ?? key

const rowsOf = async (client: Client) => (await client.describeSettings({})).rows
const shown = ({ value }: DescribedSetting) => (value === null ? '' : String(value))

const get = command({
  name: 'settings get',
  takes: '[<name>…]',
  max: 100,
  summary: 'Print the current settings',
  about: 'Secrets are masked. With a single name, only its value is printed.',
  options: { changed: flag('Only those that differ from their default.') },
  examples: ['faxdeck settings get --changed', 'faxdeck settings get MAX_FILE_SIZE_MB'],
  async run({ words, options }, { client, out }) {
    const all = await rowsOf(client)
    const chosen = words.length === 0 ? all : words.map((name) => rowOf(all, name))
    const rows = options.changed ? chosen.filter((row) => !row.is_default) : chosen
    const facts = rows.map(({ key, env, value, source, is_default }) => ({ key, env, value, source, is_default }))
    out.answer(facts, () => {
      const [only] = rows
      if (words.length === 1 && only) out.line(shown(only))
      else
        out.table(
          ['Setting', 'Value', 'From'],
          rows.map((row) => [row.env, shown(row), row.source]),
        )
    })
  },
})

/** What the gateway says about a name that it does not know. */
const noSuchSetting = 'There is no such setting.'

/** A refusal names the settings as people of the command line do: by their variable. */
function refusalOf(error: unknown, rows: Rows): unknown {
  if (!(error instanceof CallProblem) || !error.answer?.fields) return error
  const { fields, code, request_id: requestId } = error.answer
  const isKnown = (field: string) => rows.some(({ key }) => key === field)
  const wordsOf = (field: string, message: string) =>
    message === noSuchSetting && !isKnown(field) ? adviceAbout(field) : message
  const said = fields.map(({ field, message }) => `${nameOf(rows, field)}: ${wordsOf(field, message)}`).join(' ')
  return new Fault(said, exitCodes.failed, { code, requestId })
}

/** Saves a change, all or nothing, and says what it did. */
async function save({ client, out }: Desk, rows: Rows, body: Record<string, string | null>): Promise<void> {
  const { _meta: meta } = await client.updateSettings({ body }).catch((error: unknown) => {
    throw refusalOf(error, rows)
  })
  out.answer(meta, () => {
    const names = meta.changed.map((key) => nameOf(rows, key))
    out.line(names.length === 0 ? 'Nothing to change.' : `Saved: ${names.join(', ')}.`)
  })
  if (meta.restart_recommended) out.note('Restart the gateway for this to take effect.')
}

const set = command({
  name: 'settings set',
  takes: '<name>=<value>…',
  max: 100,
  summary: 'Change settings, all or none',
  about:
    'NAME= clears a saved value. NAME=- reads one value from standard input, so that a secret appears neither in the shell history nor in the process list.',
  examples: ['faxdeck settings set MAX_FILE_SIZE_MB=20', 'faxdeck settings set PHAXIO_API_SECRET=- < secret.txt'],
  async run({ words }, desk) {
    const rows = await rowsOf(desk.client)
    const change: Record<string, string | null> = {}
    for (const word of words) {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? []
      if (name === undefined || value === undefined) throw usageFault(`"${word}" is not of the form NAME=value.`)
      const given = value === '-' ? (await text(process.stdin)).trim() : value
      change[rowOf(rows, name).key] = given === '' ? null : given
    }
    await save(desk, rows, change)
  },
})

const exported = command({
  name: 'settings export',
  takes: '[<file>]',
  summary: 'Print the settings as an .env file',
  options: {
    secrets: flag('With the secrets in the clear; the audit trail keeps who asked.'),
    force: forceOption,
  },
  examples: ['faxdeck settings export faxdeck.env'],
  async run({ words: [path = '-'], options }, { client, out }) {
    const { env_content: content } = await client.exportSettings({
      query: { secrets: options.secrets ? 'true' : 'false' },
    })
    if (path !== '-') await writeWhole(path, content, options.force === true)
    out.answer(path === '-' ? { env_content: content } : { path }, () =>
      path === '-' ? out.raw(content) : out.line(path),
    )
  },
})

const imported = command({
  name: 'settings import',
  takes: '<file>',
  summary: 'Save the settings of an .env file, all or none',
  about: 'If a name is not a setting, nothing is changed; all problems are reported at once. - reads standard input.',
  examples: ['faxdeck settings import faxdeck.env'],
  async run({ words: [path = ''] }, desk) {
    const content = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8')
    const given = Object.entries(parseEnvFile(content))
    if (given.length === 0) throw usageFault(`${path} holds no settings: its lines are of the form NAME=value.`)
    const rows = await rowsOf(desk.client)
    await save(
      desk,
      rows,
      Object.fromEntries(given.map(([name, value]) => [keyOf(rows, name), value === '' ? null : value])),
    )
  },
})

export const settings = [get, set, exported, imported]
