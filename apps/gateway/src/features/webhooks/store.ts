import { hash, randomBytes } from 'node:crypto'
import type { DeliveryState, DetailedDelivery, Webhook, WebhookDelivery, WebhookEvent } from '@faxdeck/contract'
import type { Kysely } from 'kysely'
import type { Tx } from '../../base/db/database.ts'
import { inPages } from '../../base/db/in-pages.ts'
import type { Tables } from '../../base/db/tables/tables.ts'
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookEndpointRow } from '../../base/db/tables/webhooks.ts'

export type Db = Kysely<Tables>

const pageSize = 500

/** The kind of work that sends one message. */
export const webhookWork = 'webhook'
/** Each endpoint has a lane of its own: a slow one keeps no other waiting. */
export const laneOf = (endpointId: string) => `${webhookWork}:${endpointId}`

export const newEndpointId = () => randomBytes(16).toString('hex')
/** The same message to the same endpoint has the same id, whenever it is made. */
export const messageId = (...parts: readonly string[]) => `msg_${hash('sha256', parts.join('\n')).slice(0, 32)}`

/** An endpoint as the wire shows it: without its secrets. */
export function presentEndpoint(row: WebhookEndpointRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events.split(',') as WebhookEvent[],
    inbound_content: row.inbound_content,
    enabled: row.enabled === 1,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since,
    previous_secret_until: row.previous_until,
    key_id: row.key_id,
    created_at: row.created_at,
  }
}

export function presentDelivery({ endpoint_id, body, replayed_at: _, ...row }: WebhookDeliveryRow): WebhookDelivery {
  return { ...row, webhook_id: endpoint_id, payload: body, cursor: `${row.created_at}.${row.id}` }
}

/** All, or those of a key; null for those of the installation. */
export function listEndpoints(db: Db, owner?: string | null) {
  const all = db.selectFrom('webhook_endpoints').selectAll().orderBy('created_at').orderBy('id')
  if (owner === undefined) return all.execute()
  return all.where('key_id', owner === null ? 'is' : '=', owner).execute()
}

export const findEndpoint = (db: Db, id: string) =>
  db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst()

export const insertEndpoint = (tx: Tx, row: WebhookEndpointRow) =>
  tx.insertInto('webhook_endpoints').values(row).execute()

/** The endpoint as it is then; undefined when there is none. */
export const changeEndpoint = (tx: Tx, id: string, change: Partial<WebhookEndpointRow>) =>
  tx.updateTable('webhook_endpoints').set(change).where('id', '=', id).returningAll().executeTakeFirst()

/** Whether there was one. Work that is left on its deliveries finds nothing to do. */
export async function removeEndpoint(tx: Tx, id: string): Promise<boolean> {
  const messages = tx.selectFrom('webhook_deliveries').select('id').where('endpoint_id', '=', id)
  await tx.deleteFrom('webhook_attempts').where('delivery_id', 'in', messages).execute()
  await tx.deleteFrom('webhook_deliveries').where('endpoint_id', '=', id).execute()
  const gone = await tx.deleteFrom('webhook_endpoints').where('id', '=', id).returning('id').executeTakeFirst()
  return gone !== undefined
}

export const findDelivery = (db: Db, id: string) =>
  db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst()

export const changeDelivery = (tx: Tx, id: string, change: Partial<WebhookDeliveryRow>) =>
  tx.updateTable('webhook_deliveries').set(change).where('id', '=', id).returningAll().executeTakeFirst()

const ofEndpoint = (db: Db, id: string) =>
  db.selectFrom('webhook_deliveries').where('endpoint_id', '=', id).orderBy('created_at', 'desc').orderBy('id', 'desc')

type Deliveries = ReturnType<ReturnType<typeof ofEndpoint>['selectAll']>

/** Those that follow one, the newest first. */
const after = (deliveries: Deliveries, at: string, id: string): Deliveries =>
  deliveries.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(at, id)))

export interface DeliveryFilter {
  state?: DeliveryState | DeliveryState[] | undefined
  limit: number
  /** As `presentDelivery` writes it; those that follow it are listed. */
  cursor?: string | undefined
}

/** Newest first. */
export function listDeliveries(db: Db, id: string, { state, limit, cursor }: DeliveryFilter) {
  let query = ofEndpoint(db, id).selectAll().limit(limit)
  if (state) query = query.where('state', 'in', [state].flat())
  if (cursor) {
    query = after(query, cursor.slice(0, cursor.lastIndexOf('.')), cursor.slice(cursor.lastIndexOf('.') + 1))
  }
  return query.execute()
}

/** Recorded since an instant, page after page, tests left out. */
export const deliveriesSince = (db: Db, id: string, since: string) =>
  inPages<WebhookDeliveryRow>(pageSize, (last) => {
    const found = ofEndpoint(db, id).selectAll().where('created_at', '>=', since).where('event', '!=', 'webhook.test')
    return (last ? after(found, last.created_at, last.id) : found).limit(pageSize).execute()
  })

/** The newest message of an endpoint. */
export const findNewest = (db: Db, id: string) => ofEndpoint(db, id).selectAll().limit(1).executeTakeFirst()

/** Removes what is over and older than `before`, or beyond the newest `most` of an endpoint. */
export async function removeOldDeliveries(db: Db, id: string, before: string, max: number): Promise<void> {
  const beyond = await ofEndpoint(db, id).select('created_at').offset(max).limit(1).executeTakeFirst()
  const limit = beyond && beyond.created_at > before ? beyond.created_at : before
  const over = db.deleteFrom('webhook_deliveries').where('endpoint_id', '=', id).where('state', '!=', 'pending')
  await over.where('created_at', '<=', limit).execute()
}

const maxAttempts = 20

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
  if (n > maxAttempts) await old.where('n', '<=', n - maxAttempts).execute()
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
