import { randomUUID } from 'node:crypto'
import { maskNumber, type SplitPart } from '@faxdeck/contract'
import { command, type Desk, flag, option } from '../../command.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { usageFault } from '../../fault.ts'
import { faxHeading, faxRow, outcomeOf, shownFax } from '../../terminal/fax-lines.ts'
import { follow, secondsOf, wait, within } from '../../calls/follow.ts'
import { readPaper } from '../../terminal/paper.ts'
import {
  numbersOption,
  pageFieldsOf,
  pageOptions,
  repeatOption,
  unreadableOf,
  unreadableOption,
} from './page-options.ts'

const partHeading = ['pages', 'to', 'reference', 'minutes']

/** Prints what a pile becomes, and what the check of its pages found. */
function showParts(answer: { pages: number; parts: SplitPart[] }, shows: boolean, { out }: Desk): void {
  const parts = answer.parts.map((part) => (shows ? part : { ...part, to: maskNumber(part.to) }))
  out.answer({ ...answer, parts }, () => {
    const rows = parts.map(({ first_page: first, last_page: last, to, reference, minutes }) => [
      first === last ? `${first}` : `${first} to ${last}`,
      to,
      reference ?? '',
      `${minutes}`,
    ])
    out.table(partHeading, rows)
    for (const { first_page: first, page_notes: notes } of parts) {
      for (const { sentence } of notes) out.line(`Fax starting on page ${first}: ${sentence}`)
    }
  })
}

export const split = command({
  name: 'split',
  takes: '<document>',
  summary: 'Split a scan at its separator sheets and send each part',
  about:
    'Each part goes to the number on the sheet before it; the sheets are not sent. Either all faxes are accepted or none. With --quote, nothing is sent. - reads the document from standard input.',
  options: {
    quote: flag('Only print which number each page goes to, and the predicted minutes.'),
    wait,
    within,
    name: option('<name>', 'The document name that people see.'),
    ...pageOptions,
    ...unreadableOption,
    'idempotency-key': repeatOption,
    numbers: numbersOption,
  },
  examples: ['faxdeck split scan.tiff --quote', 'faxdeck split scan.tiff --wait'],
  async run({ words: [document = ''], options }, desk): Promise<ExitCode> {
    const { out, client } = desk
    if (options.quote && options.wait) throw usageFault('With --quote nothing is sent: leave out --wait.')
    const seconds = secondsOf(options.within)
    const pages = pageFieldsOf(options)
    const refuse = unreadableOf(options)
    const file = await readPaper(document, options.name)
    const shows = options.numbers === true
    out.progress('Reading the separator sheets…')
    if (options.quote) {
      showParts(await client.quoteSplit({ form: { file, ...pages } }), shows, desk)
      return exitCodes.done
    }
    const headers = { 'idempotency-key': options['idempotency-key'] ?? randomUUID() }
    const accepted = (await client.splitFax({ form: { file, ...pages, ...refuse } }, { headers })).faxes
    const faxes = options.wait ? await follow(accepted, seconds, desk) : accepted
    out.answer({ faxes: faxes.map((fax) => shownFax(fax, shows)) }, () => {
      out.table(
        faxHeading,
        faxes.map((fax) => faxRow(fax, shows)),
      )
    })
    return options.wait ? outcomeOf(faxes) : exitCodes.done
  },
})
