import type { DetailedDelivery } from '@faxdeck/contract'
import type { Tx } from '../../base/db/database.ts'
import type { WebhookAttemptRow } from '../../base/db/tables/webhooks.ts'
import type { Db } from './store.ts'

const maxKept = 20

/** Adds a try of a message, and removes those that are too many. */
export async function addAttempt(tx: Tx, attempt: Omit<WebhookAttemptRow, 'n'>): Promise<void> {
  const last = await tx
    .selectFrom('webhook_attempts')
    .select((eb) => eb.fn.max('n').as('n'))
    .where('delivery_id', '=', attempt.delivery_id)
    .executeTakeFirst()
  const n = (last?.n ?? 0) + 1
  await tx
    .insertInto('webhook_attempts')
    .values({ ...attempt, n })
    .execute()
  const old = tx.deleteFrom('webhook_attempts').where('delivery_id', '=', attempt.delivery_id)
  if (n > maxKept) await old.where('n', '<=', n - maxKept).execute()
}

/** The tries of a message, oldest first. */
export async function listAttempts(db: Db, deliveryId: string): Promise<DetailedDelivery['attempts']> {
  return db
    .selectFrom('webhook_attempts')
    .select(['at', 'duration_ms', 'response_status', 'error', 'response_body'])
    .where('delivery_id', '=', deliveryId)
    .orderBy('n')
    .execute()
}

/** Removes the tries of messages that are no longer there. */
export async function removeLostAttempts(db: Db): Promise<void> {
  const kept = db.selectFrom('webhook_deliveries').select('id')
  await db.deleteFrom('webhook_attempts').where('delivery_id', 'not in', kept).execute()
}
