import { type Command, everywhere, type OptionRow } from './command.ts'
import { exitMeanings } from './exit-codes.ts'
import { optionLine, tagline } from './help.ts'

/** Text as roff prints it: hyphens and quotes as they are typed, and no line that begins with a request. */
const plain = (text: string) =>
  text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq').replace(/^\./, '\\&.')
const bold = (text: string) => `\\fB${plain(text)}\\fR`
const quoted = (text: string) => `"${plain(text).replaceAll('"', '\\(dq')}"`
const entry = ([left, right]: readonly [string, string]) => ['.TP', bold(left), plain(right)]
const optionEntries = (options: Readonly<Record<string, OptionRow>>) =>
  Object.entries(options).flatMap((each) => entry(optionLine(each)))

const commandPart = ({ name, takes, summary, about, options, examples }: Command): string[] => [
  `.SS ${quoted(`${name} ${takes}`.trim())}`,
  plain(`${summary}.`),
  ...(about === undefined ? [] : ['.PP', plain(about)]),
  ...optionEntries(options),
  '.PP',
  examples.length === 1 ? 'Example:' : 'Examples:',
  '.PP',
  '.EX',
  ...examples.map(plain),
  '.EE',
]

/** What the Debian package installs beside the program. */
const places = [
  ['/etc/faxdeck/faxdeck.env', 'Settings of the service. Commands that work on its data read them too.'],
  ['/var/lib/faxdeck', 'Database, documents and keys. Run commands that work on them as the user faxdeck.'],
  ['/var/backups/faxdeck', 'The backup of the latest upgrade, and room for your own.'],
] as const

/**
 * The manual page faxdeck(1), written from what `--help` shows.
 * @returns its source for man(7), the same for the same commands
 */
export function manPage(commands: readonly Command[], version: string): string {
  const lines = [
    `.TH FAXDECK 1 "" ${quoted(`faxdeck ${version}`)} "User Commands"`,
    '.SH NAME',
    `faxdeck \\- ${plain(tagline)}`,
    '.SH SYNOPSIS',
    `${bold('faxdeck')} \\fIcommand\\fR [\\fIoptions\\fR]`,
    '.SH COMMANDS',
    ...commands.flatMap(commandPart),
    '.SH OPTIONS OF ALL COMMANDS',
    ...optionEntries(everywhere),
    '.SH EXIT STATUS',
    ...Object.entries(exitMeanings).flatMap(entry),
    '.SH FILES',
    ...places.flatMap(entry),
    '.SH SEE ALSO',
    plain('The documentation that the gateway serves: http://127.0.0.1:8080/docs/latest/'),
  ]
  return `${lines.join('\n')}\n`
}
