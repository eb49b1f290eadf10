import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { acquireInbound } from './acquire.ts'
import { inboundHandlers } from './routes.ts'
import { inboundWork, listExpired } from './store.ts'
import { sql } from 'kysely'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { transact } from '../../base/db/transact.ts'
import { lockHolds, receivedIsHeld } from '../../paper/retention/held.ts'
import { finishRemovals, recordRemoval } from '../../paper/retention/removals.ts'
import { mayDelete, type Overdue, overdueBy } from '../../paper/retention/rules.ts'

const atOnce = 100

/** Parts a fax from its documents and records that, if no hold was placed meanwhile. They themselves go afterwards. */
async function expireFax(context: GatewayContext, fax: InboundFaxRow, { days, group }: Overdue): Promise<void> {
  const { database, events, now } = context
  const { id, provider: backend, pdf_key: pdf, original_key: original, sha256, pages, received_at } = fax
  await transact(database, async (tx) => {
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
    if (!parted) return
    await recordRemoval(
      tx,
      [pdf, original].flatMap((key) => key ?? []),
      now(),
    )
    const rule = { reason: 'retention', days, rule_group: group } as const
    const facts = { direction: 'received', sha256, pages, created_at: received_at, ...rule } as const
    await events.inboundDeleted({ job_id: id, backend, ...facts }, tx)
  })
}

/** Removes the documents of faxes that are past their time; their details stay. */
export async function expireInbound(context: GatewayContext): Promise<void> {
  for (const rule of await overdueBy(context, 'received')) {
    for (;;) {
      const faxes = await listExpired(context.database.db, rule, atOnce)
      for (const fax of faxes) await expireFax(context, fax, rule)
      await finishRemovals(context)
      if (faxes.length < atOnce) break
    }
  }
}

/** Receives faxes, fetches their documents and keeps them for as long as the settings say. */
export const createInbound = (context: GatewayContext) =>
  ({
    name: 'inbound',
    routes: inboundHandlers(context),
    work: { [inboundWork]: (claim, signal) => acquireInbound(context, claim, signal) },
    expire: (now = context.now) => expireInbound({ ...context, now }),
  }) satisfies Feature
