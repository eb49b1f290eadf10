import { sql } from 'kysely'
import { transact } from '../../base/db/transact.ts'
import type { GatewayContext } from '../../base/context.ts'
import { lockHolds, requestIsHeld } from '../../paper/retention/held.ts'
import { finishRemovals, recordRemoval } from '../../paper/retention/removals.ts'
import { draftOf, requireApproval, withoutCover } from './store.ts'
import { newHold } from '../../fax/move/hold.ts'

const retentionMs = 30 * 24 * 3_600_000
const atOnce = 100

/** Why the document of a request goes that became no fax of its own. */
const reasons = { refused: 'refused', expired: 'expired', approved: 'duplicate' } as const

/** Parts a request from its document and records that, if no hold keeps it. The document itself goes afterwards. */
async function partDocument({ database, events, now }: GatewayContext, id: string): Promise<void> {
  await transact(database, async (tx) => {
    await lockHolds(tx, database.engine, 'shared')
    const row = await requireApproval(tx, id)
    const { state, document_key: key, pages, created_at } = row
    if (key === null || state === 'waiting') return
    const parted = await tx
      .updateTable('fax_approvals')
      .set({ document_key: null, draft: withoutCover(row) })
      .where('id', '=', id)
      .where('document_key', '=', key)
      .where(sql<boolean>`not ${requestIsHeld}`)
      .returning('id')
      .executeTakeFirst()
    if (!parted) return
    await recordRemoval(tx, [key], now())
    const { id: job_id, backend, document_sha256: sha256 } = draftOf(row)
    const facts = { direction: 'sent', sha256, pages, created_at } as const
    await events.documentRemoved(
      { job_id, backend, ...facts, reason: reasons[state], days: null, rule_group: null },
      tx,
    )
  })
}

/** Removes the document of a request that became no fax of its own. One that is held goes once the hold is lifted. */
export async function removeDocument(context: GatewayContext, id: string): Promise<void> {
  await partDocument(context, id)
  await finishRemovals(context)
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

/** What is known of requests goes after 30 days, except what a hold keeps. */
async function forgetOld({ database, now }: GatewayContext): Promise<void> {
  const before = new Date(now().getTime() - retentionMs).toISOString()
  await transact(database, async (tx) => {
    await lockHolds(tx, database.engine, 'shared')
    await tx
      .deleteFrom('fax_approvals')
      .where('state', '!=', 'waiting')
      .where('document_key', 'is', null)
      .where('created_at', '<', before)
      .where(sql<boolean>`not ${requestIsHeld}`)
      .execute()
  })
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
    .where(sql<boolean>`not ${requestIsHeld}`)
    .execute()
  for (const { id } of left) await partDocument(context, id)
  await finishRemovals(context)
  await forgetOld(context)
}

/**
 * Sees to it that a request that waits for a person becomes a held fax: our records are of an earlier time, and it may
 * have been approved and sent since.
 */
export async function holdWaiting(
  { database, now }: Pick<GatewayContext, 'database' | 'now'>,
  asOf: Date,
): Promise<void> {
  await transact(database, async (tx) => {
    const waiting = tx.selectFrom('fax_approvals').selectAll().where('state', '=', 'waiting').orderBy('id')
    const rows = await waiting.$if(database.engine === 'postgres', (query) => query.forUpdate()).execute()
    for (const row of rows) {
      const draft = draftOf(row)
      const held = JSON.stringify({ ...draft, hold: newHold(draft, asOf, now()) })
      await tx.updateTable('fax_approvals').set({ draft: held }).where('id', '=', row.id).execute()
    }
  })
}
