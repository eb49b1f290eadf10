import { numbersOption } from '../sending/page-options.ts'
import type { Fax } from '@faxdeck/contract'
import { command, type Desk } from '../../command.ts'
import type { ExitCode } from '../../exit-codes.ts'
import { Fault } from '../../fault.ts'
import { faxEvents } from '../../calls/fax-events.ts'
import { changedFax, outcomeOf, shownFax, stateCell, timeOf } from '../../terminal/fax-lines.ts'
import { follow, secondsOf, within } from '../../calls/follow.ts'

type Seen = Pick<Fax, 'id' | 'to' | 'status' | 'needs_attention' | 'error' | 'updated_at'>

function print({ out }: Desk, seen: Seen, whole: unknown): void {
  out.answer(whole, () => {
    out.line(`${timeOf(seen.updated_at)}  ${seen.id}  ${seen.to}  `, stateCell(seen), `  ${seen.error ?? ''}`)
  })
}

/** Prints what happens to the faxes that the key sees until the program is ended. */
async function watchAll(desk: Desk): Promise<never> {
  const onBreak = () => desk.out.progress(`The connection to ${desk.url} broke. Reconnecting…`)
  desk.out.progress(`Watching ${desk.url}. Ctrl-C ends it.`)
  for await (const { fax } of faxEvents(desk.open, onBreak)) {
    const shown = changedFax(fax)
    print(desk, shown, shown)
  }
  throw new Fault('The event stream ended.')
}

export const watch = command({
  name: 'watch',
  takes: '[<fax>…]',
  max: 1000,
  summary: 'Follow faxes until their outcome is known',
  about:
    'Prints one line per change, or one object with --json. Without a fax, it follows all faxes that your key sees until you stop it.',
  options: { within, numbers: numbersOption },
  examples: ['faxdeck watch 3f2a9c0b7d5e41868a1c6f0e92b4d7a5', 'faxdeck watch --json | jq .status'],
  async run({ words, options }, desk): Promise<ExitCode> {
    const seconds = secondsOf(options.within)
    if (words.length === 0) return watchAll(desk)
    const onChange = (fax: Fax) => {
      const shown = shownFax(fax, options.numbers === true)
      print(desk, shown, shown)
    }
    const faxes = words.map((id) => ({ id }))
    return outcomeOf(await follow(faxes, seconds, desk, onChange))
  },
})
