import { randomUUID } from 'node:crypto'
import { type Fax, maskNumber, stripNumber } from '@faxdeck/contract'
import { command, type Desk, option } from '../../command.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { Fault, faultOf, usageFault } from '../../fault.ts'
import { faxHeading, faxRow, outcomeOf, shownFax } from '../../terminal/fax-lines.ts'
import { follow, secondsOf, wait, within } from '../../calls/follow.ts'
import { readPaper } from '../../terminal/paper.ts'
import {
  labelOptions,
  labelsOf,
  numbersOption,
  pageFieldsOf,
  pageOptions,
  repeatOption,
  unlikelyField,
  unlikelyOption,
  unreadableOf,
  unreadableOption,
} from './page-options.ts'

interface Refusal {
  to: string
  error: string
}

function checkNumbers(numbers: readonly string[]): void {
  const bare = numbers.map(stripNumber)
  const twice = bare.find((number, index) => bare.indexOf(number) !== index)
  if (twice !== undefined) throw usageFault(`${maskNumber(twice)} is listed twice and would get the fax twice.`)
}

/** What stops the whole command: with the other numbers it would go the same way. */
function stopsAll(fault: Fault, accepted: number, key: string): Fault | undefined {
  if (fault.exitCode !== exitCodes.unreachable && fault.exitCode !== exitCodes.forbidden) return undefined
  if (fault.exitCode === exitCodes.forbidden && accepted === 0) return fault
  const again = `Repeat the command with --idempotency-key ${key}: what was accepted is not sent again.`
  return new Fault(`${fault.message} ${accepted} accepted before. ${again}`, fault.exitCode, {
    ...(fault.code === undefined ? {} : { code: fault.code }),
  })
}

interface SendRequest {
  file: File
  numbers: readonly string[]
  pages: ReturnType<typeof pageFieldsOf> &
    ReturnType<typeof unreadableOf> &
    ReturnType<typeof unlikelyField> &
    ReturnType<typeof labelsOf>
  key: string
}

/** Each number is a fax of its own: one that is refused does not hold up the others. */
async function submitAll({ file, numbers, pages, key }: SendRequest, { client, out }: Desk) {
  const faxes: Fax[] = []
  const refused: Refusal[] = []
  for (const [index, to] of numbers.entries()) {
    out.progress(`Uploading ${index + 1} of ${numbers.length}…`)
    const headers = { 'idempotency-key': `${key}:${stripNumber(to)}` }
    try {
      faxes.push(await client.submitFax({ form: { to, file, ...pages } }, { headers }))
    } catch (error) {
      const fault = faultOf(error)
      const last = fault && stopsAll(fault, faxes.length, key)
      if (!fault || last) throw last ?? error
      refused.push({ to, error: fault.message })
    }
  }
  return { faxes, refused }
}

export const send = command({
  name: 'send',
  takes: '<document> <number>…',
  max: 1000,
  summary: 'Send a document to one or more numbers',
  about:
    'The document is a PDF, a text file, an image (PNG, JPEG, TIFF, GIF, WebP, AVIF, HEIC, BMP), a Word, OpenDocument or RTF document, a web page or an email; - reads it from standard input. The command returns once the gateway has stored the faxes, or with --wait once their outcome is known.',
  options: {
    wait,
    within,
    name: option('<name>', 'The document name that people see.'),
    ...pageOptions,
    ...unreadableOption,
    ...unlikelyOption,
    ...labelOptions,
    'idempotency-key': repeatOption,
    numbers: numbersOption,
  },
  examples: [
    'faxdeck send letter.pdf +15555550123',
    'faxdeck send letter.pdf +15555550123 +15555550124 --wait',
    'faxdeck send letter.pdf +15555550123 --cover formal --cover-to "Dr. Alvarez"',
    'faxdeck send letter.pdf +15555550123 --reference order-4711 --metadata ward=3B',
    'lpstat -o | faxdeck send - +15555550123 --name queue.txt',
  ],
  async run({ words: [document = '', ...numbers], options }, desk): Promise<ExitCode> {
    const { out } = desk
    checkNumbers(numbers)
    const seconds = secondsOf(options.within)
    const pages = {
      ...pageFieldsOf(options),
      ...unreadableOf(options),
      ...unlikelyField(options),
      ...labelsOf(options),
    }
    const file = await readPaper(document, options.name)
    const key = options['idempotency-key'] ?? randomUUID()
    const { faxes: accepted, refused } = await submitAll({ file, numbers, pages, key }, desk)
    const shows = options.numbers === true
    for (const { to, error } of refused) out.note(`${shows ? to : maskNumber(to)} was refused: ${error}`)
    const faxes = options.wait ? await follow(accepted, seconds, desk) : accepted
    const answer = {
      faxes: faxes.map((fax) => shownFax(fax, shows)),
      refused: refused.map(({ to, error }) => ({ to: shows ? to : maskNumber(to), error })),
    }
    out.answer(answer, () => {
      if (faxes.length > 0)
        out.table(
          faxHeading,
          faxes.map((fax) => faxRow(fax, shows)),
        )
    })
    const outcome = options.wait ? outcomeOf(faxes) : exitCodes.done
    return outcome === exitCodes.done && refused.length > 0 ? exitCodes.failed : outcome
  },
})
