import { transact } from '../db/transact.ts'
import type { GatewayContext } from '../context.ts'
import { broughtIsHeld } from '../retention/held.ts'
import { changeApproval, requireApproval, withoutCover } from './store.ts'

const retentionMs = 30 * 24 * 3_600_000
const atOnce = 100

/** Removes the document of a request that becomes no fax. The document goes first: a crash between leaves something to remove again. */
export async function removeDocument({ database, storage }: GatewayContext, id: string): Promise<void> {
  const row = await requireApproval(database.db, id)
  if (row.document_key === null) return
  const held = database.db.selectFrom('fax_approvals').select('id').where('id', '=', id)
  // The next round looks again.
  if (await held.where(broughtIsHeld('fax_approvals')).executeTakeFirst()) return
  await storage.remove(row.document_key)
  await changeApproval(database.db, id, { document_key: null, draft: withoutCover(row) })
}

async function endOverdue(context: GatewayContext): Promise<void> {
  const { database, events, now } = context
  const overdue = await database.db
    .selectFrom('fax_approvals')
    .select(['id', 'caller_key_id', 'expires_at'])
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', now().toISOString())
    .limit(atOnce)
    .execute()
  for (const { id, caller_key_id, expires_at } of overdue) {
    await transact(database, async (tx) => {
      const ended = await tx
        .updateTable('fax_approvals')
        .set({ state: 'expired', decided_at: expires_at })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .returning('id')
        .executeTakeFirst()
      if (ended) await events.approvalExpired({ approval: id, asked_by: caller_key_id }, tx)
    })
  }
  if (overdue.length === atOnce) await endOverdue(context)
}

/** Ends requests that nobody decided, removes documents that become no fax, and after 30 days what is known of requests. */
export async function expireApprovals(context: GatewayContext): Promise<void> {
  const { db } = context.database
  await endOverdue(context)
  const left = await db
    .selectFrom('fax_approvals')
    .select('id')
    .where('state', '!=', 'waiting')
    .where('document_key', 'is not', null)
    .execute()
  for (const { id } of left) await removeDocument(context, id)
  const before = new Date(context.now().getTime() - retentionMs).toISOString()
  await db
    .deleteFrom('fax_approvals')
    .where('state', '!=', 'waiting')
    .where('document_key', 'is', null)
    .where('created_at', '<', before)
    .execute()
}
