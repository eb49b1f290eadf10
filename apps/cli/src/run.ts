import { parseArgs, type ParseArgsConfig } from 'node:util'
import { type Command, type Desk, everywhere } from './command.ts'
import { connect, dataDirectoryOf, keyOf, urlOf } from './connect.ts'
import type { Environment } from './environment.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { usageFault } from './fault.ts'
import { commandHelp, familyHelp, programHelp } from './help.ts'
import { Output } from './output.ts'

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
    throw usageFault(`${said}. See faxdeck ${row.name} --help.`)
  }
}

/** The command whose name stands first. Options that only it knows may stand anywhere. */
function find(args: readonly string[], commands: readonly Command[]) {
  const { positionals, values } = parseArgs({ args: [...args], options: everywhere, strict: false })
  const [first = '', second = ''] = positionals
  const row = commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first)
  return { first, row, values: values as Parsed, family: commands.filter(({ name }) => name.startsWith(`${first} `)) }
}

function deskOf(values: Parsed, { env, version }: Program): Desk {
  const url = urlOf(textOf(values['url']), env)
  const dataDirectory = dataDirectoryOf(textOf(values['data']), env)
  const client = connect(url, () => keyOf(textOf(values['key']), env, url, dataDirectory))
  return { out: new Output(values['json'] === true), version, env, url, dataDirectory, client }
}

function checkCount(words: readonly string[], { name, takes, count: [fewest, most] }: Command): void {
  if (words.length >= fewest && words.length <= most) return
  const lack = words.length < fewest ? 'It needs more' : 'It was given too much'
  throw usageFault(`${lack}: faxdeck ${name} ${takes}`.trimEnd() + `. See faxdeck ${name} --help.`)
}

/**
 * Does what was typed after the program's name.
 * @throws {Fault} with the sentence and the exit code when it does not succeed
 */
export async function run(args: readonly string[], program: Program): Promise<ExitCode> {
  const { commands, version } = program
  const { first, row, values, family } = find(args, commands)
  const print = (text: string) => {
    process.stdout.write(text)
    return exitCodes.done
  }
  if (!row) {
    if (values['version'] === true) return print(`${version}\n`)
    if (first === '' || first === 'help') return print(programHelp(commands, version))
    if (family.length > 0 && values['help'] === true) return print(familyHelp(first, family))
    if (family.length > 0) throw usageFault(`Specify one: ${family.map(({ name }) => `faxdeck ${name}`).join(', ')}.`)
    throw usageFault(`There is no command "${first}". faxdeck --help lists them.`)
  }
  if (values['help'] === true) return print(commandHelp(row))
  const parsed = parse(args, row)
  const words = parsed.positionals.slice(row.name.split(' ').length)
  checkCount(words, row)
  return row.run(
    { words, options: parsed.values as Parameters<Command['run']>[0]['options'] },
    deskOf(parsed.values, program),
  )
}
