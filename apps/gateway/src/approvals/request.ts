import type { RequestedFax } from '@faxdeck/contract'
import { transact } from '../db/transact.ts'
import type { FaxApprovalRow } from '../db/request-tables.ts'
import type { FaxJobRow } from '../db/tables.ts'
import { sameFaxKey } from '../faxes/idempotency.ts'
import { firstAnswer } from '../faxes/present.ts'
import type { Sending } from '../faxes/sending.ts'
import type { Order, Submission } from '../faxes/submit.ts'
import { Problem } from '../http/problem.ts'
import { isTestLine } from '../providers/test-line.ts'
import { type ApprovalDoors, waitingMs } from './doors.ts'
import { presentRequest } from './present.ts'
import { checkQuoteId } from './quote-ids.ts'
import { approvalIdOf, countWaiting, findRepeat, insertApproval } from './store.ts'

const mostWaiting = 50

function newApproval(order: Order, draft: FaxJobRow, now: Date): FaxApprovalRow {
  return {
    id: approvalIdOf(draft.id),
    caller_key_id: order.callerKeyId,
    idempotency_key: order.idempotencyKey ?? null,
    fingerprint: order.fingerprint,
    state: 'waiting',
    to_number: draft.to_number,
    pages: draft.pages,
    draft: JSON.stringify(draft),
    document_key: draft.document_key,
    decided_by: null,
    decided_at: null,
    job_id: null,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + waitingMs).toISOString(),
  }
}

/** Keeps a request, or answers the one that was made under the same key a moment before. */
function keep({ database, events, now }: ApprovalDoors, order: Order, row: FaxApprovalRow): Promise<FaxApprovalRow> {
  return transact(database, async (tx) => {
    const at = now()
    if ((await countWaiting(tx, at, order.callerKeyId)) >= mostWaiting) {
      const sentence = `${mostWaiting} faxes of this key wait for a person already. They have to be decided first.`
      throw new Problem('conflict', sentence)
    }
    if (!(await insertApproval(tx, row, at))) {
      const earlier = await findRepeat(tx, order, at)
      if (!earlier) throw new Problem('idempotency_conflict')
      return earlier
    }
    const { id, caller_key_id: key_id, to_number: to, pages } = row
    await events.approvalRequested({ approval: id, key_id, to, pages }, tx)
    return row
  })
}

/** A quote finds out what the pages lose, so that it holds whatever is then decided about that. */
export const quotedOf = ({ read }: Pick<Sending, 'read'>, order: Submission): Order =>
  // A key that was bound already is of another form; a quote has none.
  read({ ...order, unreadable: undefined, idempotencyKey: undefined })

/** Stores the document and lets the request wait for a person. */
async function askPerson(doors: ApprovalDoors, order: Order): Promise<RequestedFax> {
  const { sending } = doors.faxes
  const notes = await sending.check(order)
  const { row: draft, stored } = await sending.prepare(order)
  const page_notes = notes.length > 0 ? JSON.stringify(notes) : null
  const row = newApproval(order, { ...draft, page_notes }, doors.now())
  try {
    const kept = await keep(doors, order, row)
    const replayed = kept.id !== row.id
    if (replayed) await doors.storage.remove(stored)
    return { ...(await presentRequest(doors, kept)), replayed }
  } catch (error) {
    // After any other failure the commit may have succeeded: a stray document is better than a lost one.
    if (error instanceof Problem) await doors.storage.remove(stored)
    throw error
  }
}

const answerOf = ({ providers }: ApprovalDoors, job: FaxJobRow) => firstAnswer(job, isTestLine(providers, job.backend))

async function takeOn(doors: ApprovalDoors, order: Order, quoteId: string | undefined): Promise<RequestedFax> {
  const { sending } = doors.faxes
  const earlier = await findRepeat(doors.database.db, order, doors.now())
  if (earlier) return { ...(await presentRequest(doors, earlier)), replayed: true }
  const first = await sending.findFirst(order)
  if (first) return { approval: null, fax: answerOf(doors, first.job), replayed: true }
  const { require_mcp_quote: needsQuote, require_mcp_approval: needsPerson } = doors.settings()
  if (needsQuote) checkQuoteId(doors.seals, quotedOf(sending, order), quoteId, doors.now())
  if (needsPerson) return askPerson(doors, order)
  const { job, replayed } = await sending.submit(order)
  return { approval: null, fax: answerOf(doors, job), replayed }
}

/**
 * Takes on a fax that an assistant asks for: at once, or once a person has approved it, as the settings say. Assistants
 * forget that they have asked, so that without a key the same fax is recognised by itself.
 * @throws {Problem} one sentence saying what is wrong or missing; nothing was kept then
 */
export async function requestFax(
  doors: ApprovalDoors,
  submission: Submission,
  quoteId: string | undefined,
): Promise<RequestedFax> {
  const read = doors.faxes.sending.read(submission)
  const order = { ...read, idempotencyKey: read.idempotencyKey ?? sameFaxKey(read.fingerprint) }
  const answer = await takeOn(doors, order, quoteId)
  if (answer.replayed) {
    const of = { job_id: answer.fax?.id, approval: answer.approval?.id }
    await doors.events.requestRepeated({ key_id: order.callerKeyId, ...of })
  }
  return answer
}
