import { type Command, everywhere, type OptionRows } from '../../command.ts'

/** What may follow the words typed so far; an empty list leaves file names to the shell. */
interface Candidate {
  words: string
  next: readonly string[]
}

const optionsOf = (options: OptionRows) => Object.keys({ ...options, ...everywhere }).map((name) => `--${name}`)

const isAlone = ({ name }: Command) => !name.includes(' ')

/** The candidates after each beginning: of the program, of a family of commands, of a command of one word. */
function candidatesOf(commands: readonly Command[]): Candidate[] {
  const families = new Map<string, string[]>()
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ')
    families.set(first, [...(families.get(first) ?? []), ...(second === undefined ? [] : [second])])
  }
  return [
    { words: '', next: [...families.keys(), '--help', '--version'] },
    ...[...families].filter(([, next]) => next.length > 0).map(([words, next]) => ({ words, next })),
    ...commands.filter(isAlone).map(({ name, options }) => ({ words: name, next: optionsOf(options) })),
  ]
}

/** Choices of options, by the option's name: `--status` of two commands offers what either takes. */
function choicesOf(commands: readonly Command[]): [string, string[]][] {
  const choices = new Map<string, Set<string>>()
  for (const [name, row] of commands.flatMap(({ options }) => Object.entries(options))) {
    for (const choice of row.choices ?? []) choices.set(name, (choices.get(name) ?? new Set()).add(choice))
  }
  return [...choices].map(([name, set]) => [name, [...set]])
}

function functionOf(commands: readonly Command[]): string {
  const candidates = candidatesOf(commands).map(({ words, next }) => `    '${words}') echo '${next.join(' ')}' ;;`)
  const choices = choicesOf(commands).map(([name, next]) => `    --${name}) echo '${next.join(' ')}'; return ;;`)
  return `# What may follow: $1 is the word before, $2 and $3 are the first two words.
_faxdeck_next() {
  case "$1" in
${choices.join('\n')}
  esac
  case "$2 $3" in
${commands
  .filter((row) => !isAlone(row))
  .map(({ name, options }) => `    '${name}') echo '${optionsOf(options).join(' ')}'; return ;;`)
  .join('\n')}
  esac
  case "$2" in
${candidates.join('\n')}
  esac
}`
}

/** A script that completes commands, options and their choices in bash; names of files are left to the shell. */
export const bashCompletion = (commands: readonly Command[]): string => `${functionOf(commands)}
_faxdeck() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before='' first='' second=''
  ((COMP_CWORD > 1)) && first="\${COMP_WORDS[1]}" && before="\${COMP_WORDS[COMP_CWORD-1]}"
  ((COMP_CWORD > 2)) && second="\${COMP_WORDS[2]}"
  COMPREPLY=($(compgen -W "$(_faxdeck_next "$before" "$first" "$second")" -- "$current"))
}
complete -o default -F _faxdeck faxdeck
`

/** The same for zsh. */
export const zshCompletion = (commands: readonly Command[]): string => `#compdef faxdeck
${functionOf(commands)}
_faxdeck() {
  local before='' first='' second=''
  ((CURRENT > 2)) && first="$words[2]" && before="$words[CURRENT-1]"
  ((CURRENT > 3)) && second="$words[3]"
  compadd -- $(_faxdeck_next "$before" "$first" "$second") || _files
}
compdef _faxdeck faxdeck
`

/** The same for fish. */
export function fishCompletion(commands: readonly Command[]): string {
  const offer = (words: readonly string[]) => `printf '%s\\n' ${words.join(' ')}`
  const choices = choicesOf(commands).map(([name, next]) => `    case --${name}\n      ${offer(next)}\n      return`)
  const pairs = commands
    .filter((row) => !isAlone(row))
    .map(({ name, options }) => `    case '${name}'\n      ${offer(optionsOf(options))}\n      return`)
  const words = candidatesOf(commands).map(({ words, next }) => `    case '${words}'\n      ${offer(next)}`)
  return `# What may follow: the tokens before the cursor are the program, the command and what was typed after it.
function __faxdeck_next
  set -l typed $argv
  test (count $argv) -eq 0; and set typed (commandline -opc)
  set -l first ''
  set -l second ''
  set -q typed[2]; and set first $typed[2]
  set -q typed[3]; and set second $typed[3]
  switch "$typed[-1]"
${choices.join('\n')}
  end
  switch "$first $second"
${pairs.join('\n')}
  end
  switch "$first"
${words.join('\n')}
  end
end
complete -c faxdeck -a '(__faxdeck_next)'
`
}
