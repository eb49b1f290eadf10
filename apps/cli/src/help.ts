import { type Command, everywhere, type OptionRow } from './command.ts'
import { exitMeanings } from './exit-codes.ts'

const lineWidth = 100
/** What the program is. */
export const tagline = 'a fax gateway from the command line'

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length === 0 || longer.length > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  const margin = `\n${' '.repeat(width + 2)}`
  return rows
    .map(([left, right]) => `  ${left.padEnd(width)}${wrap(right, lineWidth - width).join(margin)}`.trimEnd())
    .join('\n')
}

/** How an option is typed, and what it is for. */
export const optionLine = ([name, { short, value, help, choices }]: [string, OptionRow]): [string, string] => [
  `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
  `${help}${choices ? ` One of ${choices.join(', ')}.` : ''}`,
]

/** The whole program. */
export function programHelp(commands: readonly Command[], version: string): string {
  const codes = Object.entries(exitMeanings).map(([code, meaning]): [string, string] => [code, meaning])
  return `faxdeck ${version}: ${tagline}

Usage: faxdeck <command> [options]

Commands
${columns(commands.map(({ name, summary }) => [name, summary]))}

Options of all commands
${columns(Object.entries(everywhere).map(optionLine))}

Exit codes
${columns(codes)}

For help on one command, run faxdeck <command> --help.
`
}

/** One command, or the commands that share a first word. */
export function commandHelp({ name, takes, summary, about, options, examples }: Command): string {
  const own = Object.entries(options)
  return `${summary}.${about === undefined ? '' : `\n\n${wrap(about, lineWidth).join('\n')}`}

Usage: faxdeck ${[name, takes, '[options]'].filter(Boolean).join(' ')}
${own.length === 0 ? '' : `\nOptions\n${columns(own.map(optionLine))}\n`}
Options of all commands
${columns(Object.entries(everywhere).map(optionLine))}

${examples.length === 1 ? 'Example' : 'Examples'}
${examples.map((example) => `  ${example}`).join('\n')}
`
}

/** The commands that begin with the same word. */
export function familyHelp(word: string, family: readonly Command[]): string {
  return `Usage: faxdeck ${word} <command> [options]

Commands
${columns(family.map(({ name, summary }) => [name, summary]))}
`
}
