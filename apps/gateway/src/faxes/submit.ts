import { hash } from 'node:crypto'
import type { CoverFields, ProblemCode, Unreadable } from '@faxdeck/contract'
import {
  type Cover,
  DocumentProblem,
  type Documents,
  type Inspection,
  namedKindOf,
  type Tones,
} from '@faxdeck/documents'
import type { Database } from '../db/database.ts'
import { markOf } from '../db/mark.ts'
import { randomHex } from '../db/random-hex.ts'
import type { FaxJobRow } from '../db/tables.ts'
import { assertFits } from '../http/guards.ts'
import { Problem } from '../http/problem.ts'
import type { ProviderAccess } from '../providers/access.ts'
import type { Settings } from '../settings/settings.ts'
import { newKey } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import type { Accepted, NewJob } from './accept.ts'
import { chooseCover, coverTrace, datedCover, type KeptCover } from './cover.ts'
import { boundSince, checkIdempotencyKey, type KeyedCall } from './idempotency.ts'
import { readNumber, reverseDigits } from './number.ts'

export interface Submission extends KeyedCall {
  /** As typed. */
  to: string
  /** What its pages are made black and white for. */
  tones: Tones
  /** What becomes of it when its pages lose writing; it is refused when left out. */
  unreadable?: Unreadable | undefined
  cover: CoverFields
  file: { fileName: string | null; bytes: Buffer } | undefined
}

export interface SubmitDoors {
  database: Database
  storage: Storage
  documents: Documents
  providers: Pick<ProviderAccess, 'outbound' | 'line'>
  settings: Settings['current']
  now?: () => Date
}
interface Acceptor {
  accept: (job: NewJob) => Promise<Accepted>
}

const problemCodes: Partial<Record<DocumentProblem['code'], ProblemCode>> = {
  unsupported: 'unsupported_document',
  too_large: 'too_large',
  bad_cover: 'bad_cover',
}

/** A refusal of the document or its cover, as the caller is told. */
export function documentProblem(error: unknown): unknown {
  if (!(error instanceof DocumentProblem)) return error
  return new Problem(problemCodes[error.code] ?? 'bad_document', error.sentence)
}

/** A document that can be faxed, as it is to be stored. */
interface MeasuredFax extends Pick<Inspection, 'kind' | 'pages'> {
  bytes: Uint8Array
}

/** Opens and measures a document and its cover. @throws {Problem} saying why it cannot be faxed */
export async function measureFax(
  documents: Documents,
  file: NonNullable<Submission['file']>,
  cover: Cover | undefined,
): Promise<MeasuredFax> {
  try {
    const front = cover ? await documents.measureCover(cover) : { pages: 0 }
    const bytes = await documents.intake(file.bytes, file.fileName)
    const { kind, pages } = await documents.inspect(bytes)
    return { bytes, kind, pages: front.pages + pages }
  } catch (error) {
    throw documentProblem(error)
  }
}

/** A submission that has been read, its document not yet opened. */
export interface Order extends Submission {
  /** As it is dialled. */
  to: string
  file: NonNullable<Submission['file']>
  backend: string
  keptCover: KeptCover | undefined
  digest: string
  /** What a repeat is recognised by. */
  fingerprint: string
}

/** @throws {Problem} about the number, the cover page, the key, a file that is missing or too large, or a provider that is not set up */
export function readOrder({ settings, providers }: SubmitDoors, submission: Submission): Order {
  const { tones, unreadable = 'refuse', cover, file, idempotencyKey } = submission
  checkIdempotencyKey(idempotencyKey)
  const to = readNumber(submission.to, settings().default_country)
  if (!file) throw new Problem('file_missing')
  assertFits(file.bytes, settings())
  const provider = providers.outbound()
  providers.line(provider.id)
  const keptCover = chooseCover(settings(), provider, cover)
  const digest = hash('sha256', file.bytes)
  // The usual choice leaves no trace, so that keys bound before there was one are recognised.
  const fingerprint = hash(
    'sha256',
    `${to}\0${digest}${namedKindOf(file.bytes, file.fileName) ?? ''}${tones === 'auto' ? '' : tones}${unreadable === 'refuse' ? '' : unreadable}${coverTrace(cover)}`,
  )
  return { ...submission, to, file, backend: provider.id, keptCover, digest, fingerprint }
}

/** The first answer, when the key was used before; the commit decides the races that this look misses. */
export async function findFirstAnswer(
  { database, now }: Pick<SubmitDoors, 'database' | 'now'>,
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
    .where('idempotency_keys.created_at', '>=', boundSince(key, now?.() ?? new Date()))
    .executeTakeFirst()
  if (!bound) return undefined
  const { fingerprint: first, ...job } = bound
  // Seen a moment before it is on disk, it would be promised too early.
  await database.synced()
  if (first !== fingerprint) throw new Problem('idempotency_conflict')
  return { job, replayed: true }
}

interface Measured extends Pick<Inspection, 'kind' | 'pages'> {
  mark: string
}

function newRow(draft: Order, { kind, pages, mark }: Measured, at: string): FaxJobRow {
  const id = randomHex(16)
  return {
    id,
    to_number: draft.to,
    to_reversed: reverseDigits(draft.to),
    status: 'queued',
    phase: 'queued',
    backend: draft.backend,
    pages,
    pages_confirmed: null,
    error: null,
    error_kind: null,
    attempt_count: 0,
    next_try_at: null,
    attempt_id: null,
    provider_id: null,
    document_kind: kind,
    document_key: newKey('faxes', id, mark, kind),
    tones: draft.tones,
    unreadable: draft.unreadable ?? 'refuse',
    page_notes: null,
    header_line: null,
    cover: draft.keptCover ? JSON.stringify(draft.keptCover) : null,
    document_sha256: draft.digest,
    size_bytes: draft.file.bytes.length,
    file_name: draft.file.fileName?.slice(0, 255) ?? null,
    caller_key_id: draft.callerKeyId,
    parent_id: null,
    hold: null,
    created_at: at,
    updated_at: at,
    finished_at: null,
  }
}

/** "2 pages accepted." */
export function acceptedSentence(pages: number): string {
  return pages === 1 ? 'Accepted: 1 page.' : `Accepted: ${pages} pages.`
}

/**
 * Opens and stores the document of an order: the job is then ready to be accepted.
 * @throws {Problem} saying why it cannot be faxed; nothing was kept then
 */
export async function prepareJob(doors: SubmitDoors, order: Order): Promise<NewJob & { stored: string }> {
  const { to, file, keptCover, idempotencyKey: key, fingerprint } = order
  const at = doors.now?.() ?? new Date()
  const { bytes, ...measured } = await measureFax(doors.documents, file, keptCover && datedCover(keptCover, to, at))
  const row = newRow(order, { ...measured, mark: await markOf(doors.database) }, at.toISOString())
  const stored = row.document_key ?? ''
  await doors.storage.put(stored, bytes)
  const idempotency = key === undefined ? {} : { idempotency: { key, fingerprint } }
  return { row, sentence: acceptedSentence(row.pages), stored, ...idempotency }
}

/** Takes on an order that was read. As `createSubmission`. */
export async function submitOrder(doors: SubmitDoors & Acceptor, order: Order): Promise<Accepted> {
  const first = await findFirstAnswer(doors, order)
  if (first) return first
  const { stored, ...job } = await prepareJob(doors, order)
  try {
    const accepted = await doors.accept(job)
    if (accepted.replayed) await doors.storage.remove(stored)
    return accepted
  } catch (error) {
    // After any other failure the commit may have succeeded: a stray document is better than a lost one.
    if (error instanceof Problem) await doors.storage.remove(stored)
    throw error
  }
}

/**
 * Takes a fax on: number, provider and document are checked, the document is stored, the job commits. When it
 * resolves, the fax will be sent or a person will know why not.
 * @throws {Problem} one sentence saying what is wrong; nothing was kept then
 */
export function createSubmission(doors: SubmitDoors & Acceptor): (submission: Submission) => Promise<Accepted> {
  return async (submission) => submitOrder(doors, readOrder(doors, submission))
}
