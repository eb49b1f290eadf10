import type { GatewayContext } from '../../base/context.ts'
import { clockOf } from '../../paper/pages/header-values.ts'
import type { Ledger, Line } from './ledger.ts'
import type { Subject } from './subject.ts'

/** An export that was asked for. */
export interface Export {
  id: string
  at: string
  /** The key or person, and what they are called; null for the first key. */
  by: string
  byName: string | null
  reason: string
  subject: Subject
}

type Clock = ReturnType<typeof clockOf>

/** More lines would be no summary; `faxes.csv` has them all. */
const maxLines = 2000

const pagesInWords = (pages: number | null) => (pages === null ? '' : pages === 1 ? ', 1 page' : `, ${pages} pages`)
const statuses: Readonly<Record<string, string>> = { SUCCESS: 'delivered', FAILED: 'failed' }
/** A status of the wire in words. */
export const statusWords = (status: string) => statuses[status] ?? status.replaceAll('_', ' ').toLowerCase()

/** "…0123" or "Jane-Doe", and the day: whom the file is about, without giving a number away in a list of files. */
export function exportName({ subject, at }: Export): string {
  const whose = subject.kind === 'number' ? `number-ending-${subject.number.slice(-4)}` : subject.name
  return `faxdeck-records_${whose.trim().replace(/[^\p{L}\p{N}.-]+/gu, '-')}_${at.slice(0, 10)}.zip`
}

function lineInWords({ direction, at, from, to, status, pages, by, document, test }: Line, clock: Clock): string {
  const way =
    direction === 'sent'
      ? `Sent to ${to}`
      : `Received from ${from ?? 'an unknown number'} on ${to ?? 'an unknown number'}`
  const sender = by === '' ? '' : `, by ${by === 'bootstrap' ? 'the bootstrap key' : by}`
  const tested = test === undefined ? '' : ` Only a test: ${test}.`
  return `${clock.inWords(at)}  ${way}${sender}: ${statusWords(status)}${pagesInWords(pages)}.${tested} ${document === '' ? 'No document.' : document}`
}

/** What an export holds, for people: with names, local times and numbers as they are dialed. */
export async function summaryPdf(context: GatewayContext, made: Export, ledger: Ledger): Promise<Buffer> {
  const { subject, at, by, byName, reason } = made
  const clock = clockOf(context)
  const { fax_header: organization, fax_paper: paper } = context.settings.current()
  const { sent, received, documents } = ledger.counts
  const lines = ledger.lines.toSorted((one, other) => one.at.localeCompare(other.at))
  const rest = lines.length - maxLines
  const entries = lines.slice(0, maxLines).map((line) => lineInWords(line, clock))
  const content = await context.documents.receipt(
    {
      title: 'Fax records',
      outcome: subject.kind === 'number' ? `Number ${subject.number}` : subject.name,
      facts: [
        ['Organization', organization ?? 'Not named. Set “Header line: sender” in Settings.'],
        ['Exported', clock.inWords(at)],
        ['Exported by', byName ?? (by === 'bootstrap' ? 'Bootstrap key' : `Key ${by}`)],
        ['Reason', reason],
        ['Times', `Local time of this installation (${clock.zone})`],
        ['Sent faxes', sent.toLocaleString('en-US')],
        ['Received faxes', received.toLocaleString('en-US')],
        [
          'Documents',
          `${documents.toLocaleString('en-US')} included, ${ledger.absent.length} not; manifest.json says which and why`,
        ],
        ['Export ID', made.id],
      ],
      heading: 'Faxes',
      attempts: [
        ...(entries.length === 0 ? ['None.'] : entries),
        ...(rest > 0 ? [`And ${rest.toLocaleString('en-US')} more, listed in faxes.csv.`] : []),
      ],
      picture: undefined,
    },
    { paper },
  )
  return Buffer.from(content)
}
