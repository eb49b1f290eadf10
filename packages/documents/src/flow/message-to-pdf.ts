import { checkPages, type Limits } from '../base/limits.ts'
import type { Paper } from '../raster/paper.ts'
import { DocumentProblem } from '../base/problem.ts'
import { type Block, type Made, paragraph, plain } from './flow.ts'
import { flowToPdf } from './flow-to-pdf.ts'
import type { Message } from './read/message.ts'
import { readHtml } from './read/read-html.ts'

/** Makes a PDF of any document, for what is attached. */
export type MakePdf = (bytes: Uint8Array) => Promise<Made>

/** Files that mail programs add and nobody reads. */
const unread = /\.(p7s|p7m|asc|sig|ics|vcf)$|^winmail\.dat$/i

interface Attached {
  name: string
  made: Made | undefined
}

/** What can be drawn follows the mail; everything else is named on it and to the sender. */
async function attach({ name, bytes }: Message['attachments'][number], makePdf: MakePdf): Promise<Attached> {
  if (unread.test(name)) return { name, made: undefined }
  try {
    return { name, made: await makePdf(bytes) }
  } catch (error) {
    if (!(error instanceof DocumentProblem) || error.code === 'too_slow') throw error
    return { name, made: undefined }
  }
}

/** The time as the mail has it, without a time zone of ours. */
function shownDate(date: string): string {
  const time = new Date(date)
  if (Number.isNaN(time.getTime())) return date
  return `${time.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`
}

function headOf({ from, to, cc, date, subject }: Message, attached: readonly Attached[]): Block[] {
  const files = attached.map(({ name, made }) => (made ? name : `${name} (not included)`)).join(', ')
  const facts = { From: from, To: to, Cc: cc, Date: shownDate(date), Subject: subject, Attachments: files }
  const lines = Object.entries(facts).filter(([, value]) => value.trim() !== '')
  const pieces = lines.flatMap(([label, value], index) => [
    { text: `${index > 0 ? '\n' : ''}${label}: `, bold: true },
    ...plain(value.replace(/\s+/g, ' ')),
  ])
  return [paragraph(pieces), { kind: 'rule' }]
}

/** Text as it was written: a blank line ends a paragraph. */
const textBlocks = (text: string): Block[] =>
  text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => paragraph(plain(part.replace(/\s+$/, ''))))

/**
 * A mail with its head and, behind it, what is attached.
 * @throws {DocumentProblem} `too_many_pages`
 */
export async function messageToPdf(
  message: Message,
  makePdf: MakePdf,
  { paper, limits }: { paper: Paper; limits: Limits },
): Promise<{ parts: Uint8Array[]; notes: string[] }> {
  const attached: Attached[] = []
  for (const each of message.attachments) {
    attached.push(await attach(each, makePdf))
    checkPages(attached.length, limits)
  }
  const body = message.html === undefined ? undefined : readHtml(message.html, message.pictures)
  const blocks = body && body.blocks.length > 0 ? body.blocks : textBlocks(message.text)
  const mail = await flowToPdf([...headOf(message, attached), ...blocks], paper, limits)
  const left = attached.filter(({ made }) => !made).map(({ name }) => name)
  const made = attached.flatMap((each) => each.made ?? [])
  return {
    parts: [mail, ...made.map(({ pdf }) => pdf)],
    notes: [
      ...(left.length > 0 ? [`Attachments that cannot be faxed are left out: ${left.join(', ')}.`] : []),
      ...(body?.notes ?? []),
      ...made.flatMap(({ notes }) => notes),
    ],
  }
}
