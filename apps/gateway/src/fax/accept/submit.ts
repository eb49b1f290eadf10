import { hash, randomBytes } from 'node:crypto'
import type { CoverFields, Labels, Unreadable } from '@faxdeck/contract'
import { type Cover, type Documents, type Inspection, namedKindOf, type Tones } from '@faxdeck/documents'
import type { GatewayContext } from '../../base/context.ts'
import { labelsTrace, storedLabels } from '../facts/labels.ts'
import { markOf } from '../../base/db/mark.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { assertFits } from '../../base/http/upload-limit.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { groupTrace, type SendingGroup } from '../../access/groups/group-of.ts'
import { assertNoSheet } from '../facts/sheet-code.ts'
import { newKey } from '../../base/storage/keys.ts'
import { storedNotes } from '../../paper/pages/page-notes.ts'
import { type Accepted, acceptJob, type NewJob, untried } from './accept.ts'
import { chooseCover, coverTrace, datedCover, type StoredCover } from '../../paper/pages/cover.ts'
import { boundSince, checkIdempotencyKey, type KeyedCall } from '../facts/idempotency.ts'
import { readNumber, reverseDigits } from '../../base/number.ts'
import { assertLikely } from './unlikely.ts'

export interface Submission extends KeyedCall, Partial<Labels> {
  /** As typed. */
  to: string
  /** How its pages are converted to black and white. */
  tones: Tones
  /** What happens if its pages lose writing; refused by default. */
  unreadable?: Unreadable | undefined
  cover: CoverFields
  /** Whom it is sent for, beside the sender. */
  group: SendingGroup
  /** Whether the number is meant even if it is most likely nobody's. */
  allowsUnlikely?: boolean | undefined
  file: { fileName: string | null; bytes: Buffer } | undefined
}

/** A document that can be faxed, as it is to be stored. */
interface MeasuredFax extends Pick<Inspection, 'kind' | 'pages'> {
  bytes: Uint8Array
  /** How the document is damaged: whoever draws it, the fax may lack something. */
  damage: Inspection['notes']
}

/**
 * Opens and measures a document and its cover.
 * @throws {DocumentProblem} saying why it cannot be faxed; {Problem} when it begins with a separator sheet
 */
export async function measureFax(
  documents: Documents,
  file: NonNullable<Submission['file']>,
  cover: Cover | undefined,
): Promise<MeasuredFax> {
  const front = cover ? await documents.measureCover(cover) : { pages: 0 }
  const bytes = await documents.intake(file.bytes, file.fileName)
  const found = await documents.inspect(bytes, { findsSheet: true })
  assertNoSheet(found)
  const { kind, pages, notes } = found
  const damage = notes.filter((note) => note.kind === 'repaired' || note.kind === 'lost_writing')
  return { bytes, kind, pages: front.pages + pages, damage }
}

/** A submission that has been read, its document not yet opened. */
export interface CheckedSubmission extends Submission {
  /** As it is dialed. */
  to: string
  file: NonNullable<Submission['file']>
  backend: string
  /** The account sends nothing, by its settings. */
  isTest: boolean
  storedCover: StoredCover | undefined
  digest: string
  /** Identifies a repeated submission. */
  fingerprint: string
}

/** @throws {Problem} about the number, the cover page, the key, a file that is missing or too large, or a provider that is not set up */
export function checkSubmission({ settings, providers }: GatewayContext, submission: Submission): CheckedSubmission {
  const { tones, unreadable = 'refuse', cover, file, idempotencyKey } = submission
  checkIdempotencyKey(idempotencyKey)
  const to = readNumber(submission.to, settings.current().default_country)
  if (!file) throw new Problem('file_missing')
  assertFits(file.bytes, settings.current())
  const provider = providers.outbound()
  providers.line(provider.id)
  const storedCover = chooseCover(settings.current(), provider, cover, submission.group.number)
  const digest = hash('sha256', file.bytes)
  // The usual choice leaves no trace, so that keys bound before there was one are recognized.
  const fingerprint = hash(
    'sha256',
    `${to}\0${digest}${namedKindOf(file.bytes, file.fileName) ?? ''}${tones === 'auto' ? '' : tones}${unreadable === 'refuse' ? '' : unreadable}${coverTrace(cover)}${labelsTrace(submission)}${groupTrace(submission.group)}`,
  )
  const isTest = providers.isTestAccount(provider.id)
  return { ...submission, to, file, backend: provider.id, isTest, storedCover, digest, fingerprint }
}

/** The first answer, when the key was used before; the commit decides the races that this look misses. */
export async function findFirstAnswer(
  { database, now }: GatewayContext,
  { callerKeyId, idempotencyKey: key, fingerprint }: KeyedCall & { fingerprint: string },
): Promise<Accepted | undefined> {
  if (key === undefined) return undefined
  const bound = await database.db
    .selectFrom('idempotency_keys')
    .innerJoin('fax_jobs as job', 'job.id', 'idempotency_keys.job_id')
    .selectAll('job')
    .select('idempotency_keys.fingerprint')
    .where('idempotency_keys.caller_key_id', '=', callerKeyId)
    .where('idempotency_keys.idempotency_key', '=', key)
    .where('idempotency_keys.created_at', '>=', boundSince(key, now()))
    .executeTakeFirst()
  if (!bound) return undefined
  const { fingerprint: first, ...job } = bound
  // Seen a moment before it is on disk, it would be promised too early.
  await database.synced()
  if (first !== fingerprint) throw new Problem('idempotency_conflict')
  return { job, replayed: true }
}

interface Measured extends Omit<MeasuredFax, 'bytes'> {
  id: string
  documentKey: string
  at: string
}

function newRow(draft: CheckedSubmission, { id, kind, pages, damage, documentKey, at }: Measured): FaxJobRow {
  return {
    id,
    ...untried(at),
    page_notes: storedNotes(damage),
    to_number: draft.to,
    to_reversed: reverseDigits(draft.to),
    backend: draft.backend,
    is_test: Number(draft.isTest),
    pages,
    document_kind: kind,
    document_key: documentKey,
    tones: draft.tones,
    unreadable: draft.unreadable ?? 'refuse',
    cover: draft.storedCover ? JSON.stringify(draft.storedCover) : null,
    document_sha256: draft.digest,
    size_bytes: draft.file.bytes.length,
    file_name: draft.file.fileName?.slice(0, 255) ?? null,
    caller_key_id: draft.callerKeyId,
    parent_id: null,
    ...storedLabels(draft),
    broadcast_id: null,
    group_id: draft.group.id,
  }
}

/** "Accepted: 2 pages." */
export function acceptedSentence(pages: number): string {
  return pages === 1 ? 'Accepted: 1 page.' : `Accepted: ${pages} pages.`
}

interface OpenedFax {
  job: NewJob
  documentKey: string
  bytes: Uint8Array
}

/** Opens the document of a submission. @throws {DocumentProblem} saying why it cannot be faxed */
async function openFax(
  context: GatewayContext,
  submission: CheckedSubmission,
  id = randomBytes(16).toString('hex'),
): Promise<OpenedFax> {
  const { to, file, storedCover, idempotencyKey: key, fingerprint } = submission
  const at = context.now()
  const cover = storedCover && datedCover(storedCover, to, at)
  const { bytes, ...measured } = await measureFax(context.documents, file, cover)
  const documentKey = newKey('faxes', id, await markOf(context.database), measured.kind)
  const row = newRow(submission, { id, ...measured, documentKey, at: at.toISOString() })
  const idempotency = key === undefined ? {} : { idempotency: { key, fingerprint } }
  return { job: { row, sentence: acceptedSentence(measured.pages), ...idempotency }, documentKey, bytes }
}

/**
 * Opens and stores the document of a submission: the job is then ready to be accepted.
 * @param id of the job
 * @returns the job, and the key of its document
 * @throws {DocumentProblem | StorageProblem} saying why it cannot be faxed or kept
 */
export async function prepareJob(
  context: GatewayContext,
  submission: CheckedSubmission,
  id?: string,
): Promise<Omit<OpenedFax, 'bytes'>> {
  const { bytes, ...opened } = await openFax(context, submission, id)
  await context.storage.put(opened.documentKey, bytes)
  return opened
}

/** Accepts a submission that was checked. As `submitFax`. */
export async function submitChecked(context: GatewayContext, submission: CheckedSubmission): Promise<Accepted> {
  const first = await findFirstAnswer(context, submission)
  if (first) return first
  await assertLikely(context, submission.to, submission.allowsUnlikely)
  const { job, documentKey, bytes } = await openFax(context, submission)
  const keepDocument = await context.storage.putWith?.(documentKey, bytes)
  if (!keepDocument) await context.storage.put(documentKey, bytes)
  try {
    const accepted = await acceptJob(context, { ...job, keepDocument })
    if (accepted.replayed) await context.storage.remove(documentKey)
    return accepted
  } catch (error) {
    // After any other failure the commit may have succeeded: a stray document is better than a lost one.
    if (error instanceof Problem) await context.storage.remove(documentKey)
    throw error
  }
}

/**
 * Accepts a fax: number, provider and document are checked, the document is stored, the job commits. When it resolves,
 * the fax will be sent or a person will know why not.
 * @throws {Problem | DocumentProblem} one sentence saying what is wrong; nothing was kept then
 */
export async function submitFax(context: GatewayContext, submission: Submission): Promise<Accepted> {
  return submitChecked(context, checkSubmission(context, submission))
}
