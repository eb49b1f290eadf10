import type { Client } from '@faxdeck/contract'
import type { OpenStream } from './calls/connect.ts'
import type { Environment } from './environment.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Output } from './terminal/output.ts'

export interface OptionRow {
  type: 'string' | 'boolean'
  multiple?: boolean
  short?: string
  /** What stands for the value in the help: `<seconds>`. */
  value?: string
  /** Values that completion offers. */
  choices?: readonly string[]
  help: string
}
export type OptionRows = Readonly<Record<string, OptionRow>>

type More = Omit<OptionRow, 'type' | 'value' | 'help'>

/** An option with a value: how the help names it, and what it is for. */
export const option = <const M extends More = object>(value: string, help: string, more = {} as M) =>
  ({ type: 'string', value, help, ...more }) as const

/** An option that is given or not. */
export const flag = <const M extends More = object>(help: string, more = {} as M) =>
  ({ type: 'boolean', help, ...more }) as const

type ValueOf<R extends OptionRow> = R['type'] extends 'boolean'
  ? boolean | undefined
  : R extends { multiple: true }
    ? string[] | undefined
    : string | undefined

/** What was typed after the name of a command. */
export interface Given<O extends OptionRows> {
  words: readonly string[]
  options: { [N in keyof O]: ValueOf<O[N]> }
}

/** What a command works with. */
export interface Desk {
  out: Output
  version: string
  env: Environment
  /** Where the gateway is said to be. */
  url: string
  /** The data directory of a gateway on this machine. */
  dataDirectory: string
  /** The calls of the gateway, with the key that was given or found. */
  client: Client
  /** Its streams of events. */
  open: OpenStream
}

/** One command, as it is written down. */
interface CommandRow<O extends OptionRows> {
  /** One or two words. */
  name: string
  /** Its arguments in the help: `<document> [<number>…]`. How many there must be is counted here. None when left out. */
  takes?: string
  /** The most arguments, where the last one can be repeated. */
  max?: number
  summary: string
  /** More for its help, as sentences. */
  about?: string
  options?: O
  examples: readonly string[]
  /** Answers an exit code where it may be another than "done". */
  run(given: Given<O>, desk: Desk): Promise<ExitCode> | Promise<void>
}

/** One command: its help, its completion and what it does follow from this row. */
export interface Command extends CommandRow<OptionRows> {
  takes: string
  options: OptionRows
}

/** Declares a command without widening the types of its options. */
export function command<const O extends OptionRows>(row: CommandRow<O>): Command {
  return { takes: '', options: {}, ...row }
}

/** Options that every command has. */
export const everywhere = {
  json: flag('Print JSON.'),
  url: option('<address>', 'The gateway. Default: FAXDECK_URL, then http://127.0.0.1:8080.'),
  key: option(
    '<key>',
    'The API key. Default: FAXDECK_API_KEY, then the key in the data directory of a gateway on this machine. Other users of this machine can see a key given here, so prefer the variable.',
  ),
  data: option('<folder>', 'The data directory. Default: FAX_DATA_DIR, then ./faxdata.'),
  help: flag('Show help for the command.', { short: 'h' }),
} as const satisfies OptionRows
