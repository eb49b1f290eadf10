import { hash } from 'node:crypto'
import type { PendingFax, Unreadable } from '@faxdeck/contract'
import { transact } from '../../base/db/transact.ts'
import type { FaxApprovalRow } from '../../base/db/tables/requests.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { acceptInside, type NewJob } from '../../fax/accept/accept.ts'
import { bindCall, checkIdempotencyKey, type KeyedCall } from '../../fax/facts/idempotency.ts'
import { acceptedSentence } from '../../fax/accept/submit.ts'
import { isHeld } from '../../fax/move/hold.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { GatewayContext } from '../../base/context.ts'
import { removeDocument } from './expire.ts'
import { presentPending } from './present.ts'
import { changeApproval, decide, draftOf, requireApproval, stateOf, withoutCover } from './store.ts'

const decided = {
  approved: 'It was already approved, and the fax is on its way. You may still be able to cancel it under Jobs.',
  refused: 'It was already refused. The assistant can ask again.',
  expired: 'It expired after a day. The assistant can ask again.',
  waiting: 'It could not be decided. Try again.',
} as const satisfies Record<FaxApprovalRow['state'], string>

/** The request as it now stands, when that is what was wanted. @throws {Problem} `conflict` when it is not */
async function settled(context: GatewayContext, id: string, wanted: FaxApprovalRow['state']): Promise<PendingFax> {
  const row = await requireApproval(context.database.db, id)
  const state = stateOf(row, context.now())
  if (state !== wanted) throw new Problem('conflict', decided[state])
  const [shown] = await presentPending(context, [row])
  if (!shown) throw new Problem('approval_not_found')
  return shown
}

function jobOf(row: FaxApprovalRow, change: Pick<FaxJobRow, 'backend' | 'unreadable'>, now: Date): NewJob {
  const at = now.toISOString()
  const key = row.idempotency_key
  const draft = draftOf(row)
  const held = isHeld(draft)
    ? ' It is held, because the database was restored from a backup since it was asked for.'
    : ''
  return {
    // The notes are found again when its pages are drawn for the line.
    row: { ...draft, ...change, page_notes: null, created_at: at, updated_at: at },
    sentence: `${acceptedSentence(row.pages)} A person approved it.${held}`,
    ...(key === null ? {} : { idempotency: { key, fingerprint: row.fingerprint } }),
  }
}

/**
 * Lets a request become its fax. Decision, fax and audit trail commit together: of two who approve at once one does,
 * and after a crash either all of it is there or nothing.
 * @param unreadable what becomes of pages that lose writing; as the asker wants it when it is not given
 * @throws {Problem} `conflict` when it was refused or has expired; `provider_not_configured`, after which it waits on
 */
export async function approveFax(
  context: GatewayContext,
  id: string,
  call: KeyedCall,
  unreadable?: Unreadable,
): Promise<{ fax: PendingFax; replayed: boolean }> {
  const by = call.callerKeyId
  checkIdempotencyKey(call.idempotencyKey)
  const { database, events, providers } = context
  await requireApproval(database.db, id)
  const provider = providers.outbound()
  providers.line(provider.id)
  const fingerprint = hash('sha256', `approve\0${id}${unreadable ?? ''}`)
  const { accepted, replayed } = await transact(database, async (tx) => {
    const at = context.now()
    const { replayed } = await bindCall(tx, call, fingerprint, at)
    const row = await decide(tx, id, at, { state: 'approved', decided_by: by })
    if (!row) return { accepted: undefined, replayed }
    const change = { backend: provider.id, unreadable: unreadable ?? draftOf(row).unreadable }
    const taken = await acceptInside(context, tx, jobOf(row, change, at))
    const document_key = taken.replayed ? row.document_key : null
    await changeApproval(tx, id, { job_id: taken.job.id, document_key, draft: withoutCover(row) })
    const facts = { approval: id, key_id: by, asked_by: row.caller_key_id, job_id: taken.job.id }
    await events.approvalGranted(facts, tx)
    return { accepted: taken, replayed }
  })
  // The asker had sent this very fax by another way: that one counts, and its document.
  if (accepted?.replayed) await removeDocument(context, id)
  return { fax: await settled(context, id, 'approved'), replayed }
}

/**
 * Ends a request without a fax. Its document is removed.
 * @throws {Problem} `conflict` when it was approved or has expired
 */
export async function refuseFax(context: GatewayContext, id: string, by: string): Promise<PendingFax> {
  const { database, events } = context
  const row = await transact(database, async (tx) => {
    const refused = await decide(tx, id, context.now(), { state: 'refused', decided_by: by })
    if (refused) await events.approvalRefused({ approval: id, key_id: by, asked_by: refused.caller_key_id }, tx)
    return refused
  })
  if (row) await removeDocument(context, id)
  return settled(context, id, 'refused')
}
