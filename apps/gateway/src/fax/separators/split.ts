import { hash } from 'node:crypto'
import type { CoverFields, Unreadable } from '@faxdeck/contract'
import type { Tones } from '@faxdeck/documents'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { transact } from '../../base/db/transact.ts'
import { acceptInside, type NewJob } from '../accept/accept.ts'
import { coverTrace } from '../../paper/pages/cover.ts'
import { bindCall, checkIdempotencyKey, findBinding, type KeyedCall, newCallName } from '../facts/idempotency.ts'
import { type CheckedSubmission, checkSubmission, prepareJob } from '../accept/submit.ts'
import { groupTrace, type SendingGroup } from '../../access/groups/group-of.ts'
import { assertFits } from '../../base/http/upload-limit.ts'
import type { Upload } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { maxParts, type Part, planSplit } from './plan.ts'

/** A part with its pages as a PDF. */
export interface PartDocument extends Part {
  bytes: Uint8Array
}

/** An upload that is to be split. */
export interface SplitSubmission extends KeyedCall {
  file: Upload | undefined
  tones: Tones
  unreadable: Unreadable
  cover: CoverFields
  group: SendingGroup
}

/** The upload of a call. @throws {Problem} `file_missing`, `too_large` */
export function uploadOf({ settings }: GatewayContext, file: Upload | undefined): Upload {
  if (!file) throw new Problem('file_missing')
  assertFits(file.bytes, settings.current())
  return file
}

/**
 * Reads the sheets of a document and takes its pages apart.
 * @returns how many pages it has, and its parts
 * @throws {Problem} when it is not sure to which number every page goes; {DocumentProblem}
 */
export async function splitDocument(
  { documents, settings }: GatewayContext,
  file: Upload,
): Promise<{ pages: number; parts: PartDocument[] }> {
  const { fax_paper: paper } = settings.current()
  const pdf = await documents.toPdf(await documents.intake(file.bytes, file.fileName), { paper })
  const marks = await documents.marks(pdf, { paper })
  const parts: PartDocument[] = []
  for (const part of planSplit(marks, settings.seals)) {
    parts.push({ ...part, bytes: await documents.takePages(pdf, { from: part.from, to: part.until }) })
  }
  return { pages: marks.length, parts }
}

/** The ids of the faxes of a call, in their order: found again by its idempotency key. */
const idsOf = (name: string) =>
  Array.from({ length: maxParts }, (_, at) => hash('sha256', `split\0${name}\0${at}`).slice(0, 32))

async function findJobs(db: GatewayContext['database']['db'] | Tx, name: string): Promise<FaxJobRow[]> {
  const ids = idsOf(name)
  const rows = await db.selectFrom('fax_jobs').selectAll().where('id', 'in', ids).execute()
  return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/** The faxes of the call that used the key first. @throws {Problem} `idempotency_conflict` */
async function findFirst(context: GatewayContext, call: KeyedCall, fingerprint: string) {
  const bound = await findBinding(context, call, context.now())
  if (!bound) return undefined
  // Seen a moment before it is on disk, it would be promised too early.
  await context.database.synced()
  if (bound.fingerprint !== fingerprint) throw new Problem('idempotency_conflict')
  return findJobs(context.database.db, bound.job_id)
}

function nameOf({ reference }: Part, number: number, upload: string | null): string {
  if (reference !== null) return `${reference.replaceAll(/[/\\]/g, '-')}.pdf`
  return `${(upload ?? 'document').replace(/\.[^.]*$/, '')}, part ${number}.pdf`
}

function checkPart(context: GatewayContext, submission: SplitSubmission, part: PartDocument, number: number) {
  const { tones, unreadable, cover, group, callerKeyId, file } = submission
  const own = { fileName: nameOf(part, number, file?.fileName ?? null), bytes: Buffer.from(part.bytes) }
  const labels = { reference: part.reference }
  const given = {
    ...labels,
    to: part.to,
    tones,
    unreadable,
    cover,
    group,
    callerKeyId,
    idempotencyKey: undefined,
    file: own,
  }
  return checkSubmission(context, given)
}

function acceptTogether(
  context: GatewayContext,
  jobs: readonly NewJob[],
  { call, fingerprint, name }: { call: KeyedCall; fingerprint: string; name: string },
): Promise<{ jobs: FaxJobRow[]; replayed: boolean }> {
  const work = async (tx: Tx, again: boolean) => {
    const bound = await bindCall(tx, call, fingerprint, context.now(), name)
    if (bound.replayed || again) {
      const stored = await findJobs(tx, bound.name)
      if (bound.replayed || stored.length > 0) return { jobs: stored, replayed: bound.replayed }
    }
    for (const job of jobs) await acceptInside(context, tx, job)
    return { jobs: jobs.map(({ row }) => row), replayed: false }
  }
  return transact(context.database, work, { repeatable: true })
}

/** Stores the documents of all parts, and commits. What was stored for nothing is removed. */
async function storeAndAccept(
  context: GatewayContext,
  checked: readonly CheckedSubmission[],
  of: { call: KeyedCall; fingerprint: string; name: string },
) {
  const ids = idsOf(of.name)
  const jobs: NewJob[] = []
  const keys: string[] = []
  const removeDocuments = () => Promise.all(keys.map((key) => context.storage.remove(key)))
  try {
    for (const [at, submission] of checked.entries()) {
      const { job, documentKey } = await prepareJob(context, submission, ids[at])
      jobs.push(job)
      keys.push(documentKey)
    }
  } catch (error) {
    await removeDocuments()
    throw error
  }
  try {
    const accepted = await acceptTogether(context, jobs, of)
    if (accepted.replayed) await removeDocuments()
    return accepted
  } catch (error) {
    // After any other failure the commit may have succeeded: a stray document is better than a lost one.
    if (error instanceof Problem) await removeDocuments()
    throw error
  }
}

/**
 * Splits an upload at its separator sheets and accepts a fax for each part: all of them or none.
 * @throws {Problem | DocumentProblem} one sentence saying what is wrong; nothing was kept then
 */
export async function submitSplit(
  context: GatewayContext,
  submission: SplitSubmission,
): Promise<{ jobs: FaxJobRow[]; replayed: boolean }> {
  const { tones, unreadable, cover } = submission
  checkIdempotencyKey(submission.idempotencyKey)
  const file = uploadOf(context, submission.file)
  const options = JSON.stringify([tones, unreadable, coverTrace(cover)]) + groupTrace(submission.group)
  const fingerprint = hash('sha256', `split\0${hash('sha256', file.bytes)}${options}`)
  const first = await findFirst(context, submission, fingerprint)
  if (first) return { jobs: first, replayed: true }
  const { parts } = await splitDocument(context, file)
  const checked = parts.map((part, at) => checkPart(context, submission, part, at + 1))
  return storeAndAccept(context, checked, { call: submission, fingerprint, name: newCallName() })
}
