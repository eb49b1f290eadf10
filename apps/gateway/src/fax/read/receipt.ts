import type { Receipt } from '@faxdeck/documents'
import type { FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import { readKeyNames } from '../../access/actors/key-names.ts'
import { recordView } from '../../access/record-view.ts'
import type { FileAnswer } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { isTestFax, isTestLine } from '../../base/providers/test-line.ts'
import type { GatewayContext } from '../../base/context.ts'
import { readPage } from './document.ts'
import { clockOf } from '../../paper/pages/header-values.ts'
import { requireJob } from '../facts/find-job.ts'

const pictureWidth = 400
type InWords = (at: string) => string
const pagesInWords = (pages: number) => (pages === 1 ? '1 page' : `${pages} pages`)

/** "1 min 12 s" between two instants; nothing when one is missing. */
export function durationInWords(from: string | null | undefined, to: string | null | undefined): string | undefined {
  if (!from || !to) return undefined
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function confirmedInWords({ pages_confirmed: confirmed, pages }: FaxJobRow, isTest: boolean): string {
  if (isTest) return 'none, nothing was sent'
  return confirmed === null ? 'the provider did not say' : `${confirmed} of ${pages}`
}

const ofTestLine = 'The built-in test line ended this fax as delivered; nothing left this machine.'
const ofTestAccount = (name: string) => `${name} ended this fax as delivered in an account in test mode.`

/** @param test who only tried it, when it was a test */
function outcomeOf(job: FaxJobRow, test: string | undefined): string {
  if (test !== undefined && job.phase === 'delivered') return `Test only: not sent. ${test}`
  if (job.status === 'FAILED') return `Not delivered. ${job.error ?? ''}`.trim()
  if (job.pages_confirmed === null) return 'Delivered. The number of confirmed pages is unknown.'
  return `Delivered. ${job.pages_confirmed} of ${pagesInWords(job.pages)} confirmed.`
}

function attemptInWords(
  attempt: FaxAttemptRow,
  { name, isTest }: { name: string; isTest: boolean },
  inWords: InWords,
): string {
  const took = durationInWords(attempt.started_at, attempt.ended_at)
  const end =
    attempt.kind === null
      ? isTest
        ? 'Test: ended as delivered, not sent.'
        : 'Delivered.'
      : (attempt.sentence ?? 'It failed.')
  return `${attempt.number}. ${inWords(attempt.started_at)}, ${name}${took ? `, ${took}` : ''}: ${end}`
}

/** The first page as it was sent; undefined once the document is no longer kept. */
async function pictureOf(context: GatewayContext, job: FaxJobRow): Promise<Receipt['picture']> {
  if (job.document_key === null) return undefined
  const { content: picture } = await readPage(context, job, 1, pictureWidth, undefined)
  const png = Buffer.from(picture.buffer, picture.byteOffset, picture.length)
  return { png, width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}

/**
 * The transmission report of a fax that has ended, as a PDF.
 * @throws {Problem} `fax_not_found`, `conflict` while it is under way
 */
export async function readReceipt(context: GatewayContext, id: string, keyId: string): Promise<FileAnswer> {
  const job = await requireJob(context, id)
  if (job.finished_at === null) {
    throw new Problem(
      'conflict',
      'The fax is still in progress. The receipt is available once it is delivered or has failed.',
    )
  }
  const rows = context.database.db.selectFrom('fax_attempts').selectAll().where('job_id', '=', id).orderBy('number')
  const attempts = await rows.execute()
  const nameOf = (backend: string) => context.providers.find(backend)?.name ?? backend
  const isTest = isTestFax(context.providers, job)
  const onTestLine = isTestLine(context.providers, job.backend)
  const tester = onTestLine ? ofTestLine : ofTestAccount(nameOf(job.backend))
  const lineOf = ({ provider: backend, is_test }: FaxAttemptRow) => {
    return { name: nameOf(backend), isTest: isTestFax(context.providers, { backend, is_test }) }
  }
  const { inWords } = clockOf(context)
  const last = attempts.at(-1)
  const sender = (await readKeyNames(context.database, [job.caller_key_id])).get(job.caller_key_id)
  const duration = durationInWords(last?.started_at, last?.ended_at)
  const receipt: Receipt = {
    title: isTest ? `${onTestLine ? 'TEST LINE' : 'TEST'}: no fax was sent` : 'Transmission report',
    outcome: outcomeOf(job, isTest ? tester : undefined),
    facts: [
      ['To', job.to_number],
      ['Submitted', inWords(job.created_at)],
      ['Ended', inWords(job.finished_at)],
      ['Pages', String(job.pages)],
      ['Pages confirmed', confirmedInWords(job, isTest)],
      ...(duration ? [['Last attempt took', duration] as const] : []),
      ...(sender ? [['Sent by', sender] as const] : []),
      ['Sent through', nameOf(job.backend)],
      ['Document', job.file_name ?? 'without a name'],
      ['SHA-256', job.document_sha256],
      ['Fax', job.id],
      ...(job.provider_id === null ? [] : [["Provider's id", job.provider_id] as const]),
    ],
    attempts:
      attempts.length === 0 ? ['None was made.'] : attempts.map((one) => attemptInWords(one, lineOf(one), inWords)),
    picture: await pictureOf(context, job),
  }
  const content = await context.documents.receipt(receipt, { paper: context.settings.current().fax_paper })
  if (receipt.picture) await recordView(context, { job_id: id, key_id: keyId, page: 1, width: undefined })
  return { content, fileName: `receipt_${id}.pdf` }
}
