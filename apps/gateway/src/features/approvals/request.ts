import type { RequestedFax } from '@faxdeck/contract'
import { transact } from '../../base/db/transact.ts'
import type { FaxApprovalRow } from '../../base/db/tables/requests.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { sameFaxKey } from '../../fax/facts/idempotency.ts'
import { firstAnswer } from '../../fax/read/present.ts'
import { quoteFax } from '../../fax/preview/quote.ts'
import {
  type CheckedSubmission,
  checkSubmission,
  findFirstAnswer,
  prepareJob,
  type Submission,
  submitChecked,
} from '../../fax/accept/submit.ts'
import { assertLikely } from '../../fax/accept/unlikely.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import type { GatewayContext } from '../../base/context.ts'
import { presentRequest } from './present.ts'
import { checkQuoteId } from './quote-ids.ts'
import { approvalIdOf, countWaiting, findRepeat, insertApproval } from './store.ts'

const maxWaiting = 50
/** How long a person has to decide, and how long a repeat answers with the first request. */
const waitingMs = 24 * 3_600_000

function newApproval(submission: CheckedSubmission, draft: FaxJobRow, now: Date): FaxApprovalRow {
  return {
    id: approvalIdOf(draft.id),
    caller_key_id: submission.callerKeyId,
    idempotency_key: submission.idempotencyKey ?? null,
    fingerprint: submission.fingerprint,
    state: 'waiting',
    to_number: draft.to_number,
    pages: draft.pages,
    draft: JSON.stringify(draft),
    document_key: draft.document_key,
    group_id: draft.group_id,
    decided_by: null,
    decided_at: null,
    job_id: null,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + waitingMs).toISOString(),
  }
}

/** Keeps a request, or answers the one that was made under the same key a moment before. */
function keep(
  { database, events, now }: GatewayContext,
  submission: CheckedSubmission,
  row: FaxApprovalRow,
): Promise<FaxApprovalRow> {
  return transact(database, async (tx) => {
    const at = now()
    if ((await countWaiting(tx, at, submission.callerKeyId)) >= maxWaiting) {
      const sentence = `${maxWaiting} faxes from this key are already waiting for approval. They must be approved or refused first.`
      throw new Problem('conflict', sentence)
    }
    if (!(await insertApproval(tx, row, at))) {
      const earlier = await findRepeat(tx, submission, at)
      if (!earlier) throw new Problem('idempotency_conflict')
      return earlier
    }
    const { id, caller_key_id: key_id, to_number: to, pages } = row
    await events.approvalRequested({ approval: id, key_id, to, pages }, tx)
    return row
  })
}

/** How many requests wait for a person. */
export const countWaitingApprovals = ({ database, now }: GatewayContext): Promise<number> =>
  countWaiting(database.db, now())

/** A quote finds out what the pages lose, so that it holds whatever is then decided about that. */
export const quotedOf = (context: GatewayContext, submission: Submission): CheckedSubmission =>
  // A key that was bound already is of another form; a quote has none.
  checkSubmission(context, { ...submission, unreadable: undefined, idempotencyKey: undefined })

async function askPerson(context: GatewayContext, submission: CheckedSubmission): Promise<RequestedFax> {
  const { to, tones, cover, file } = submission
  const { page_notes: notes } = await quoteFax(context, file, { ...cover, to, tones, allowsUnlikely: true })
  const { job, documentKey } = await prepareJob(context, submission)
  const page_notes = notes.length > 0 ? JSON.stringify(notes) : null
  const row = newApproval(submission, { ...job.row, page_notes }, context.now())
  try {
    const kept = await keep(context, submission, row)
    const replayed = kept.id !== row.id
    if (replayed) await context.storage.remove(documentKey)
    return { ...(await presentRequest(context, kept)), replayed }
  } catch (error) {
    // After any other failure the commit may have succeeded: a stray document is better than a lost one.
    if (error instanceof Problem) await context.storage.remove(documentKey)
    throw error
  }
}

const answerOf = ({ providers }: GatewayContext, job: FaxJobRow) => firstAnswer(job, isTestFax(providers, job))

async function accept(
  context: GatewayContext,
  submission: CheckedSubmission,
  quoteId: string | undefined,
): Promise<RequestedFax> {
  const { settings } = context
  const earlier = await findRepeat(context.database.db, submission, context.now())
  if (earlier) return { ...(await presentRequest(context, earlier)), replayed: true }
  const first = await findFirstAnswer(context, submission)
  if (first) return { approval: null, fax: answerOf(context, first.job), replayed: true }
  await assertLikely(context, submission.to, submission.allowsUnlikely)
  const { require_mcp_quote: needsQuote, require_mcp_approval: needsPerson } = settings.current()
  if (needsQuote) checkQuoteId(settings.seals, quotedOf(context, submission), quoteId, context.now())
  if (needsPerson) return askPerson(context, submission)
  const { job, replayed } = await submitChecked(context, submission)
  return { approval: null, fax: answerOf(context, job), replayed }
}

/**
 * Accepts a fax that an assistant asks for: at once, or once a person has approved it, as the settings say. Assistants
 * forget that they have asked, so that without a key the same fax is recognized by itself.
 * @throws {Problem} one sentence saying what is wrong or missing; nothing was kept then
 */
export async function requestFax(
  context: GatewayContext,
  submission: Submission,
  quoteId: string | undefined,
): Promise<RequestedFax> {
  const checked = checkSubmission(context, submission)
  const keyed = { ...checked, idempotencyKey: checked.idempotencyKey ?? sameFaxKey(checked.fingerprint) }
  const answer = await accept(context, keyed, quoteId)
  if (answer.replayed) {
    const of = { job_id: answer.fax?.id, approval: answer.approval?.id }
    await context.events.requestRepeated({ key_id: keyed.callerKeyId, ...of })
  }
  return answer
}
