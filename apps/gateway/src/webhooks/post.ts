import type { Tx } from '../db/database.ts'
import type { WebhookDeliveryRow } from '../db/tables/tables.ts'
import type { GatewayContext } from '../context.ts'
import type { Message } from './message.ts'
import { laneOf, newMessageId, webhookWork } from './store.ts'

/** SQLite takes at most 32,766 bound values in a statement; twelve belong to a message. */
const atOnce = 1000

/** A message to one endpoint, before its first try. */
export function newDelivery(endpointId: string, { event, subjectId, body }: Message, at: Date): WebhookDeliveryRow {
  return {
    id: newMessageId(),
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
    created_at: at.toISOString(),
  }
}

/** Puts messages on their way, due at once, when the transaction is committed. */
export async function postMessages(
  { database, queue }: Pick<GatewayContext, 'database' | 'queue'>,
  tx: Tx,
  rows: readonly WebhookDeliveryRow[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce)
    await tx.insertInto('webhook_deliveries').values(some).execute()
    const works = some.map((row) => ({ subjectId: row.id, lane: laneOf(row.endpoint_id), kind: webhookWork }))
    await queue.enqueue(tx, works)
  }
  if (rows.length > 0) await database.signals.tell(tx, 'webhooks')
}
