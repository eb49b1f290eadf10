import { createHash } from 'node:crypto'
import { DocumentProblem, type Inspection, type PageCode } from '@faxdeck/documents'
import { ProviderProblem } from '@faxdeck/provider-kit'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { transactTogether } from '../../base/db/commit-group.ts'
import { markOf } from '../../base/db/mark.ts'
import { storedNotes } from '../../paper/pages/page-notes.ts'
import { writingCipher } from '../../paper/page-text/cipher.ts'
import { keepReading } from '../../paper/page-text/codes.ts'
import { newKey } from '../../base/storage/keys.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { ofTest } from '../../base/providers/test-line.ts'
import type { Claim } from '../../base/queue/queue.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import { countReceived, findInbound, updateInbound } from './store.ts'

const minute = 60_000
const longestWait = 60 * minute
const triesFor = 24 * 60 * minute

/** When to try again after `tries` fruitless ones: 1, 2, 4 … minutes, at most an hour apart; never after 24 hours. */
export function nextFetch(tries: number, firstTryAt: Date, now: Date): Date | undefined {
  if (now.getTime() - firstTryAt.getTime() >= triesFor) return undefined
  return new Date(now.getTime() + Math.min(longestWait, minute * 2 ** (tries - 1)))
}

interface Acquired {
  sha256: string
  size: number
  pages: number
  pdfKey: string
  originalKey: string | null
  notes: Inspection['notes']
  codes: PageCode[]
}

async function original(context: GatewayContext, fax: InboundFaxRow, signal: AbortSignal): Promise<Uint8Array> {
  if (fax.original_key !== null) return context.storage.get(fax.original_key)
  const { fetchDocument } = context.providers.line(fax.provider)
  if (fax.source === null || !fetchDocument) {
    throw new ProviderProblem('rejected', 'The provider reported the fax but gave no link to its document.')
  }
  return fetchDocument(fax.source, signal)
}

/** The codes are announced together with the fax. A fax neither waits nor fails for want of them. */
async function codesOf({ documents, settings }: GatewayContext, bytes: Uint8Array): Promise<PageCode[]> {
  try {
    return await documents.codes(bytes, { paper: settings.current().fax_paper })
  } catch {
    return []
  }
}

function tidyingOf(settings: SettingsInForce) {
  const { inbound_upright: upright, inbound_deskew: deskew } = settings
  const { inbound_despeckle: despeckle, inbound_drop_blank: dropBlank } = settings
  return { upright, deskew, despeckle, dropBlank }
}

/**
 * Gets the document, proves that it can be read, and stores it as a PDF; a TIFF, and what was tidied, is kept beside it
 * as it came.
 */
async function acquire(context: GatewayContext, fax: InboundFaxRow, signal: AbortSignal): Promise<Acquired> {
  const bytes = await original(context, fax, signal)
  const { kind, pages, notes } = await context.documents.inspect(bytes, { isReceived: true })
  if (kind !== 'pdf' && kind !== 'tiff') {
    throw new DocumentProblem('unsupported', 'The received document is neither PDF nor TIFF, so it is not a fax.')
  }
  const mark = await markOf(context.database)
  const pdfKey = newKey('inbound', fax.id, mark, 'pdf')
  const tidied = await context.documents.tidyToPdf(bytes, tidyingOf(context.settings.current()))
  await context.storage.put(pdfKey, tidied?.pdf ?? (kind === 'pdf' ? bytes : await context.documents.tiffToPdf(bytes)))
  const keepsOriginal = kind === 'tiff' || tidied !== undefined
  const originalKey = fax.original_key ?? newKey('inbound', fax.id, mark, 'original')
  if (keepsOriginal && fax.original_key === null) await context.storage.put(originalKey, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return {
    sha256,
    size: bytes.length,
    pages: tidied?.pages ?? pages,
    pdfKey,
    originalKey: keepsOriginal ? originalKey : null,
    notes: [...notes.filter(({ kind: what }) => what === 'repaired'), ...(tidied?.notes ?? [])],
    codes: await codesOf(context, bytes),
  }
}

async function recordArrival(context: GatewayContext, claim: Claim, fax: InboundFaxRow, got: Acquired, now: Date) {
  const status = fax.broke_off === null ? 'received' : 'failed'
  const cipher = await writingCipher(context)
  await transactTogether(context.database, async (tx) => {
    await context.queue.complete(tx, claim)
    await updateInbound(tx, fax.id, {
      status,
      error: fax.broke_off,
      pages: got.pages,
      size_bytes: got.size,
      sha256: got.sha256,
      pdf_key: got.pdfKey,
      original_key: got.originalKey,
      page_notes: storedNotes(got.notes),
      next_try_at: null,
      updated_at: now.toISOString(),
    })
    if (got.codes.length > 0) await keepReading(tx, fax.id, { state: 'waiting', codes: got.codes, cipher, at: now })
    if (status === 'received') countReceived(tx, fax.received_at)
    await context.database.signals.notify(tx, 'inbound')
    const test = ofTest(fax.is_test === 1)
    const facts = { job_id: fax.id, backend: fax.provider, status, pages: got.pages, sha256: got.sha256, ...test }
    if (status === 'received')
      await context.events.inboundReceived(
        {
          ...facts,
          from: fax.from_number,
          to: fax.to_number,
          ...(fax.concern === null ? {} : { concern: fax.concern }),
        },
        tx,
      )
    else await context.events.inboundFailed({ ...facts, error: fax.broke_off }, tx)
  })
  // A PDF that was pushed stood under the original's key until the PDF was safe.
  if (got.originalKey === null && fax.original_key !== null) await context.storage.remove(fax.original_key)
}

/** Advice to the sender of a document, which its receiver cannot follow. */
const adviceToSender = / (Choose|Upload|Save|Print|Send)\b.*$/s

/** What a person reads about a failed try; only sentences written for people. */
function sentenceOf(error: unknown): string {
  if (error instanceof DocumentProblem) return error.sentence.replace(adviceToSender, '')
  if (error instanceof ProviderProblem || error instanceof Problem) return error.message
  return 'The document could not be stored. The log says more.'
}

async function recordFailure(context: GatewayContext, claim: Claim, fax: InboundFaxRow, error: unknown, now: Date) {
  const tries = fax.fetch_tries + 1
  // What was pushed whole and cannot be read will not become readable.
  const hopeless = error instanceof DocumentProblem && fax.original_key !== null
  const again = hopeless ? undefined : nextFetch(tries, new Date(fax.created_at), now)
  const sentence = sentenceOf(error)
  await transactTogether(context.database, async (tx) => {
    if (again) await context.queue.reschedule(tx, claim, { dueAt: again, hold: false })
    else await context.queue.complete(tx, claim)
    await updateInbound(tx, fax.id, {
      fetch_tries: tries,
      next_try_at: again?.toISOString() ?? null,
      updated_at: now.toISOString(),
      error: sentence,
      ...(again ? {} : { status: 'failed' }),
    })
    await context.database.signals.notify(tx, 'inbound')
    const status = again ? 'waiting' : 'failed'
    const test = ofTest(fax.is_test === 1)
    const facts = { job_id: fax.id, backend: fax.provider, status, error: sentence, try: tries, ...test }
    await context.events.inboundFetchFailed(facts, tx)
  })
}

/** How large a document is shows when it is there. */
const usualBytes = 10 * 1024 * 1024

/** Does one piece of inbound work: waiting becomes received, or is tried again later, or fails after 24 hours. */
export async function acquireInbound(context: GatewayContext, claim: Claim, signal: AbortSignal): Promise<undefined> {
  const now = () => context.now()
  const fax = await findInbound(context.database.db, claim.subjectId)
  if (fax?.status !== 'waiting') {
    await transactTogether(context.database, (tx) => context.queue.complete(tx, claim))
    return
  }
  let got: Acquired
  try {
    got = await context.memory.use(usualBytes, () => acquire(context, fax, signal), signal)
  } catch (error) {
    signal.throwIfAborted()
    return recordFailure(context, claim, fax, error, now()).then(() => undefined)
  }
  await recordArrival(context, claim, fax, got, now())
}
