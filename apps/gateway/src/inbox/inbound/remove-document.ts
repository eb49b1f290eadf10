import { sql } from 'kysely'
import type { GatewayContext } from '../../base/context.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { transact } from '../../base/db/transact.ts'
import type { EventFacts } from '../../base/events/facts.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { holdsOn, lockHolds, receivedIsHeld } from '../../paper/retention/held.ts'
import { finishRemovals, recordRemoval } from '../../paper/retention/removals.ts'
import { mayDelete } from '../../paper/retention/rules.ts'

type Why = Pick<EventFacts['inbound_deleted'], 'reason' | 'days' | 'rule_group' | 'key_id'>

/**
 * Parts a fax from its documents and records that, if no hold was placed meanwhile. They themselves go afterwards.
 * @returns whether it had any, and they may go
 */
export async function partFromDocuments(context: GatewayContext, fax: InboundFaxRow, why: Why): Promise<boolean> {
  const { database, events, now } = context
  const { id, provider: backend, pdf_key: pdf, original_key: original, sha256, pages, received_at } = fax
  return transact(database, async (tx) => {
    await lockHolds(tx, database.engine, 'shared')
    const parted = await tx
      .updateTable('inbound_faxes')
      .set({ pdf_key: null, original_key: null, updated_at: now().toISOString() })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('pdf_key', 'is not', null), eb('original_key', 'is not', null)]))
      .where(mayDelete)
      .where(sql<boolean>`not ${receivedIsHeld}`)
      .returning('id')
      .executeTakeFirst()
    if (!parted) return false
    await recordRemoval(
      tx,
      [pdf, original].flatMap((key) => key ?? []),
      now(),
    )
    const facts = { direction: 'received', sha256, pages, created_at: received_at, ...why } as const
    await events.inboundDeleted({ job_id: id, backend, ...facts }, tx)
    return true
  })
}

/**
 * Removes the document of a fax because somebody asks for it.
 * @throws {Problem} `conflict` while it is not here yet, under a legal hold, and while deletions are paused;
 *   `document_not_found` when it was removed before
 */
export async function removeDocument(context: GatewayContext, fax: InboundFaxRow, keyId: string): Promise<void> {
  if (fax.status === 'waiting')
    throw new Problem('conflict', 'The document of this fax is not here yet. Delete it once it has arrived.')
  const why = { reason: 'deleted', days: null, rule_group: null, key_id: keyId } as const
  if (await partFromDocuments(context, fax, why)) return finishRemovals(context)
  if (fax.pdf_key === null && fax.original_key === null) throw new Problem('document_not_found')
  const holds = await holdsOn(context.database.db, fax.id)
  throw new Problem(
    'conflict',
    holds.length > 0
      ? 'A legal hold is on this fax, so its document can’t be deleted. Lift the hold first, under Retention.'
      : 'Deletions are paused, so the document can’t be deleted. Resume them first, under Retention.',
  )
}
