import { type Command, command } from '../../command.ts'
import { bashCompletion, fishCompletion, zshCompletion } from './completion-script.ts'
import { usageFault } from '../../fault.ts'

/** The command that prints the completion of all others. */
export const completion = (others: readonly Command[]): Command => {
  const own = command({
    name: 'completion',
    takes: '<bash|fish|zsh>',
    summary: 'Print a script that completes commands in a shell',
    examples: [
      'source <(faxdeck completion bash)',
      'source <(faxdeck completion zsh)',
      'faxdeck completion fish | source',
    ],
    async run({ words: [shell = ''] }, { out }) {
      const write = { bash: bashCompletion, fish: fishCompletion, zsh: zshCompletion }[shell]
      if (!write) throw usageFault(`There is no completion for "${shell}". Choose bash, fish or zsh.`)
      const script = write([...others, own])
      out.answer({ script }, () => out.raw(script))
    },
  })
  return own
}
