import { randomUUID } from 'node:crypto'
import type { Tx } from '../../base/db/database.ts'
import type { WebhookDeliveryRow } from '../../base/db/tables/webhooks.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Message } from './message.ts'
import { laneOf, messageId, webhookWork } from './store.ts'

/** SQLite takes at most 32,766 bound values in a statement; thirteen belong to a message. */
const atOnce = 1000

/** A message to one endpoint, before its first try. */
export function newDelivery(
  endpointId: string,
  { event, subjectId, at: happened, body }: Message,
  at: Date,
): WebhookDeliveryRow {
  return {
    // Somebody may press for two tests at once.
    id: messageId(endpointId, event, subjectId, event === 'webhook.test' ? randomUUID() : happened),
    endpoint_id: endpointId,
    event,
    subject_id: subjectId,
    body,
    state: 'pending',
    tries: 0,
    next_try_at: at.toISOString(),
    last_try_at: null,
    response_status: null,
    error: null,
    replayed_at: null,
    created_at: at.toISOString(),
  }
}

/** Work that tries a message. @param dueAt at once when left out */
export const workOn = (
  { id, endpoint_id: endpoint }: Pick<WebhookDeliveryRow, 'id' | 'endpoint_id'>,
  dueAt?: Date,
) => ({
  ...{ subjectId: id, lane: laneOf(endpoint), kind: webhookWork },
  ...(dueAt ? { dueAt } : {}),
})

/**
 * Puts messages on their way when the transaction is committed, but for those that are there already.
 * @param dueAt when the first try of one comes; at once when left out
 * @returns how many are new
 */
export async function postMessages(
  { database, queue }: Pick<GatewayContext, 'database' | 'queue'>,
  tx: Tx,
  rows: readonly WebhookDeliveryRow[],
  dueAt: (row: { id: string }) => Date | undefined = () => undefined,
): Promise<number> {
  let posted = 0
  for (let from = 0; from < rows.length; from += atOnce) {
    const added = await tx
      .insertInto('webhook_deliveries')
      .values(rows.slice(from, from + atOnce))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning(['id', 'endpoint_id'])
      .execute()
    const works = added.map((row) => workOn(row, dueAt(row)))
    await queue.enqueue(tx, works)
    posted += added.length
  }
  if (posted > 0) await database.signals.notify(tx, 'webhooks')
  return posted
}
