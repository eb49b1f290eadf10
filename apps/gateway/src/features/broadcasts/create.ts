import { hash, randomBytes } from 'node:crypto'
import type { CoverFields, Unreadable } from '@faxdeck/contract'
import type { Tones } from '@faxdeck/documents'
import type { GatewayContext } from '../../base/context.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { acceptedSentence, checkSubmission, prepareJob } from '../../fax/accept/submit.ts'
import { coverTrace, type StoredCover } from '../../paper/pages/cover.ts'
import { checkIdempotencyKey, type KeyedCall, newCallName } from '../../fax/facts/idempotency.ts'
import { reverseDigits } from '../../base/number.ts'
import { groupTrace, type SendingGroup } from '../../access/groups/group-of.ts'
import { assertFits } from '../../base/http/upload-limit.ts'
import type { Upload } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { acceptBroadcast, type AcceptedBroadcast, findFirst, type NewBroadcast, type NewFax } from './accept.ts'
import { assertRecipientsLikely, planRecipients, type Recipient, type RecipientPlan } from './plan.ts'

/** One document to many numbers. */
export interface BroadcastSubmission extends KeyedCall {
  /** The list as it was given. */
  recipients: string
  /** Whether rows without a fax number are left out; otherwise nothing is sent. */
  skipInvalid: boolean
  /** Whether numbers that are most likely nobody's are meant. */
  allowsUnlikely: boolean
  tones: Tones
  unreadable: Unreadable
  cover: CoverFields
  group: SendingGroup
  file: Upload | undefined
}

/** Each cover page names its own recipient, unless all are to say the same. */
const namesRecipients = ({ cover }: BroadcastSubmission) => (cover.cover_to ?? '') === ''

/** @throws {Problem} `bad_cover` naming the first row whose name has characters that no font of ours has */
async function checkNames({ documents }: GatewayContext, recipients: readonly Recipient[]): Promise<void> {
  const names = recipients.map(({ name }) => name ?? '')
  if ((await documents.findUnprintable(names.join(' '))).length === 0) return
  for (const { name, row } of recipients) {
    const missing = await documents.findUnprintable(name ?? '')
    if (missing.length === 0) continue
    const sentence = `The name in row ${row} has characters that can’t be printed on a cover page: ${missing.join(', ')}.`
    const advice = 'Write it another way, give cover_to for all, or send without a cover page.'
    throw new Problem('bad_cover', `${sentence} ${advice}`)
  }
}

const longestName = (recipients: readonly Recipient[]) =>
  recipients.reduce((longest, { name }) => ((name?.length ?? 0) > longest.length ? (name ?? '') : longest), '')

/**
 * Stores the document, once for all, and makes its first fax, from which the others differ in number and name.
 * @throws {Problem | DocumentProblem | StorageProblem} saying why it cannot be faxed or kept
 */
async function prepareFirst(context: GatewayContext, submission: BroadcastSubmission, { recipients }: RecipientPlan) {
  const { tones, unreadable, group, file, callerKeyId } = submission
  const named = namesRecipients(submission)
  const to = recipients[0]?.to ?? ''
  const first = { to, tones, unreadable, group, file, callerKeyId, cover: submission.cover, idempotencyKey: undefined }
  const checked = checkSubmission(context, first)
  const { storedCover: cover } = checked
  if (!cover || !named) return { cover, ...(await prepareJob(context, checked)) }
  await checkNames(context, recipients)
  // The longest name decides whether every page has room for its own.
  const storedCover = { ...cover, to: longestName(recipients) || null }
  return { cover, ...(await prepareJob(context, { ...checked, storedCover })) }
}

function faxFor(first: FaxJobRow, { to, name, reference }: Recipient, cover: StoredCover | undefined): NewFax {
  const row = {
    ...first,
    id: randomBytes(16).toString('hex'),
    to_number: to,
    to_reversed: reverseDigits(to),
    cover: cover ? JSON.stringify(cover) : null,
    reference,
  }
  return { job: { row, sentence: acceptedSentence(first.pages) }, name }
}

function makeBroadcast(
  id: string,
  first: FaxJobRow,
  plan: RecipientPlan,
  coverFor: (r: Recipient) => StoredCover | undefined,
) {
  const { caller_key_id, backend, file_name, pages, created_at } = first
  const faxes = plan.recipients.map((recipient) =>
    faxFor({ ...first, broadcast_id: id }, recipient, coverFor(recipient)),
  )
  const row = {
    id,
    caller_key_id,
    backend,
    file_name,
    pages,
    faxes: faxes.length,
    duplicates: plan.duplicates,
    refused: JSON.stringify(plan.skipped),
    parent_id: null,
    paused_at: null,
    cancelled_at: null,
    cancelled_by: null,
    created_at,
    group_id: first.group_id,
  }
  return { row, faxes } satisfies NewBroadcast
}

/**
 * Accepts one document for many numbers: all faxes or none.
 * @throws {Problem | DocumentProblem} one sentence saying what is wrong; nothing was kept then
 */
export async function createBroadcast(
  context: GatewayContext,
  submission: BroadcastSubmission,
): Promise<AcceptedBroadcast> {
  const { tones, unreadable, cover: given, file, recipients, skipInvalid } = submission
  checkIdempotencyKey(submission.idempotencyKey)
  if (!file) throw new Problem('file_missing')
  assertFits(file.bytes, context.settings.current())
  const options = JSON.stringify([tones, unreadable, coverTrace(given), skipInvalid]) + groupTrace(submission.group)
  const trace = `broadcast\0${hash('sha256', file.bytes)}${options}${hash('sha256', recipients)}`
  const call = { call: submission, fingerprint: hash('sha256', trace), id: newCallName() }
  const before = await findFirst(context, submission, call.fingerprint)
  if (before) return before
  const plan = planRecipients(context, recipients, skipInvalid)
  if (!submission.allowsUnlikely) await assertRecipientsLikely(context, plan.recipients)
  const { cover, job, documentKey } = await prepareFirst(context, submission, plan)
  const named = namesRecipients(submission)
  const coverFor = ({ name }: Recipient) => cover && (named && name !== null ? { ...cover, to: name } : cover)
  try {
    const accepted = await acceptBroadcast(context, call, () => makeBroadcast(call.id, job.row, plan, coverFor))
    if (accepted.replayed) await context.storage.remove(documentKey)
    return accepted
  } catch (error) {
    // After any other failure the commit may have succeeded: a stray document is better than a lost one.
    if (error instanceof Problem) await context.storage.remove(documentKey)
    throw error
  }
}
