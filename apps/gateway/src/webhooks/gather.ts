import type { WebhookDeliveryRow } from '../db/tables.ts'
import type { RecordingSink } from '../events/events.ts'
import { laneOf, webhookWork, type WebhookDoors } from './doors.ts'
import { messageOf } from './message.ts'
import { newMessageId } from './store.ts'

/** SQLite takes at most 32,766 bound values in a statement; twelve belong to a message. */
const atOnce = 1000

/**
 * Puts messages on their way in the very transaction that records what they tell of: neither can be without the other.
 */
export function gatherMessages({ queue, now }: WebhookDoors): RecordingSink {
  return async (tx, entries) => {
    const messages = entries.flatMap((entry) => messageOf(entry) ?? [])
    if (messages.length === 0) return
    const endpoints = await tx
      .selectFrom('webhook_endpoints')
      .select(['id', 'events'])
      .where('enabled', '=', 1)
      .execute()
    const at = now()
    const rows = messages.flatMap(({ event, subjectId, body }) =>
      endpoints
        .filter(({ events }) => events.split(',').includes(event))
        .map(({ id }): WebhookDeliveryRow => ({
          id: newMessageId(),
          endpoint_id: id,
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
        })),
    )
    for (let from = 0; from < rows.length; from += atOnce) {
      const some = rows.slice(from, from + atOnce)
      await tx.insertInto('webhook_deliveries').values(some).execute()
      const works = some.map((row) => ({
        subjectId: row.id,
        lane: laneOf(row.endpoint_id),
        kind: webhookWork,
        dueAt: at,
      }))
      await queue.enqueue(tx, works)
    }
  }
}
