import { parseArgs, type ParseArgsConfig } from 'node:util'
import { didYouMean } from '@faxdeck/contract/closest'
import { type Command, type Desk, everywhere } from './command.ts'
import { connect, dataDirectoryOf, keyOf, streams, urlOf } from './calls/connect.ts'
import type { Environment } from './environment.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { usageFault } from './fault.ts'
import { commandHelp, familyHelp, programHelp } from './help.ts'
import { Output } from './terminal/output.ts'

interface Program {
  commands: readonly Command[]
  version: string
  env: Environment
}

type Parsed = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>
const textOf = (value: Parsed[string]) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

/** The words and options. @throws {Fault} about an option that the command does not have */
function parse(args: readonly string[], row: Pick<Command, 'name' | 'options'>) {
  const options: ParseArgsConfig['options'] = { ...row.options, ...everywhere }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { values: values as Parsed, positionals }
  } catch (error) {
    const said = error instanceof Error ? (/^[^.]+/.exec(error.message)?.[0] ?? '') : String(error)
    const [, unknown] = /^Unknown option '(--[^']+)'/.exec(said) ?? []
    if (unknown !== undefined) {
      const names = Object.keys(options).map((name) => `--${name}`)
      throw usageFault(`There is no option "${unknown}".${didYouMean(unknown, names)} See faxdeck ${row.name} --help.`)
    }
    throw usageFault(`${said}. See faxdeck ${row.name} --help.`)
  }
}

/** The command whose name stands first. Options that only it knows may stand anywhere. */
function find(args: readonly string[], commands: readonly Command[]) {
  const { positionals, values } = parseArgs({ args: [...args], options: everywhere, strict: false })
  const [first = '', second = ''] = positionals
  const row = commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first)
  return {
    first,
    second,
    row,
    values: values as Parsed,
    family: commands.filter(({ name }) => name.startsWith(`${first} `)),
  }
}

function deskOf(values: Parsed, { env, version }: Program): Desk {
  const url = urlOf(textOf(values['url']), env)
  const dataDirectory = dataDirectoryOf(textOf(values['data']), env)
  const key = () => keyOf(textOf(values['key']), env, url, dataDirectory)
  const out = new Output(values['json'] === true)
  return { out, version, env, url, dataDirectory, client: connect(url, key), open: streams(url, key) }
}

function checkCount(words: readonly string[], { name, takes, max }: Command): void {
  const taken = takes.split(' ').filter(Boolean)
  const fewest = taken.filter((each) => !each.startsWith('[')).length
  if (words.length >= fewest && words.length <= (max ?? taken.length)) return
  const lack = words.length < fewest ? 'Arguments are missing' : 'There are too many arguments'
  throw usageFault(`${lack}. Usage: faxdeck ${name} ${takes}`.trimEnd() + `. See faxdeck ${name} --help.`)
}

function unknownCommand(first: string, second: string, all: readonly Command[], family: readonly Command[]): string {
  const shown = (name: string) => `faxdeck ${name}`
  if (family.length > 0) {
    if (second === '') return `Specify one: ${family.map(({ name }) => shown(name)).join(', ')}.`
    const given = `${first} ${second}`
    const hint = didYouMean(
      given,
      family.map(({ name }) => name),
      shown,
    )
    return `There is no command "${given}".${hint} faxdeck ${first} --help lists them.`
  }
  const names = [...new Set(all.flatMap(({ name }) => [name, name.split(' ', 1)[0] ?? name]))]
  return `There is no command "${first}".${didYouMean(first, names, shown)} faxdeck --help lists them.`
}

/**
 * Does what was typed after the program's name.
 * @throws {Fault} with the sentence and the exit code when it does not succeed
 */
export async function run(args: readonly string[], program: Program): Promise<ExitCode> {
  const { commands, version } = program
  const { first, second, row, values, family } = find(args, commands)
  const print = (text: string) => {
    process.stdout.write(text)
    return exitCodes.done
  }
  if (!row) {
    if (values['version'] === true) return print(`${version}\n`)
    if (first === '' || first === 'help') return print(programHelp(commands, version))
    if (family.length > 0 && values['help'] === true) return print(familyHelp(first, family))
    throw usageFault(unknownCommand(first, second, commands, family))
  }
  if (values['help'] === true) return print(commandHelp(row))
  const parsed = parse(args, row)
  const words = parsed.positionals.slice(row.name.split(' ').length)
  checkCount(words, row)
  const options = parsed.values as Parameters<Command['run']>[0]['options']
  const code = await row.run({ words, options }, deskOf(parsed.values, program))
  return typeof code === 'number' ? code : exitCodes.done
}
