import type { ListedWebhook, Webhook, WebhookDelivery } from '@faxdeck/contract'
import { assertStillGood } from '../api-keys/still-good.ts'
import { transact } from '../db/transact.ts'
import type { WebhookEndpointRow } from '../db/tables/tables.ts'
import type { Handlers } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import type { GatewayContext } from '../context.ts'
import { testMessage } from './message.ts'
import { newDelivery, postMessages } from './post.ts'
import { webhookFault } from './reach.ts'
import { newSecret } from './signature.ts'
import {
  changeDelivery,
  changeEndpoint,
  findDelivery,
  findEndpoint,
  findNewest,
  insertEndpoint,
  laneOf,
  listDeliveries,
  listEndpoints,
  newEndpointId,
  presentDelivery,
  presentEndpoint,
  removeEndpoint,
  sealName,
  webhookWork,
} from './store.ts'

const mostEndpoints = 20
const hourMs = 3_600_000

function assertUsable({ settings }: GatewayContext, url: string): void {
  const message = webhookFault(url, settings.current().webhook_allowed_cidrs)
  if (message) throw new Problem('invalid', message, { fields: [{ field: 'url', message }] })
}

const listOf = (events: readonly string[]) => [...new Set(events)].join(',')

/** What makes a secret: it is in the answer and nowhere else. */
function secretHandlers(context: GatewayContext) {
  const { database, events, now } = context
  const { seals } = context.settings
  return {
    createWebhook: async ({ body, caller }) => {
      assertUsable(context, body.url)
      const id = newEndpointId()
      const secret = newSecret()
      const row: WebhookEndpointRow = {
        id,
        url: body.url,
        description: body.description ?? null,
        events: listOf(body.events),
        secret: seals.seal(sealName(id), secret),
        previous_secret: null,
        previous_until: null,
        enabled: 1,
        disabled_reason: null,
        created_at: now().toISOString(),
      }
      await transact(database, async (tx) => {
        if ((await listEndpoints(tx)).length >= mostEndpoints) {
          throw new Problem('conflict', `There are ${mostEndpoints} webhooks already. Remove one first.`)
        }
        await assertStillGood(tx, caller.keyId, now())
        await insertEndpoint(tx, row)
        await events.webhookCreated({ webhook: id, key_id: caller.keyId }, tx)
      })
      return { ...presentEndpoint(row), secret }
    },

    rotateWebhookSecret: async ({ params: { id }, body, caller }) => {
      const secret = newSecret()
      const row = await transact(database, async (tx) => {
        await assertStillGood(tx, caller.keyId, now())
        const present = await findEndpoint(tx, id)
        if (!present) throw new Problem('webhook_not_found')
        const keep = body.keep_hours > 0
        const changed = await changeEndpoint(tx, id, {
          secret: seals.seal(sealName(id), secret),
          previous_secret: keep ? present.secret : null,
          previous_until: keep ? new Date(now().getTime() + body.keep_hours * hourMs).toISOString() : null,
        })
        await events.webhookRotated({ webhook: id, key_id: caller.keyId }, tx)
        return changed ?? present
      })
      return { ...presentEndpoint(row), secret }
    },
  } satisfies Partial<Handlers>
}

/** The life of endpoints. */
function endpointHandlers(context: GatewayContext) {
  const { database, events, now } = context
  return {
    listWebhooks: async () => {
      const rows = await listEndpoints(database.db)
      const withNewest = rows.map(async (row): Promise<ListedWebhook> => {
        const newest = await findNewest(database.db, row.id)
        return { ...presentEndpoint(row), last_delivery: newest ? presentDelivery(newest) : null }
      })
      return Promise.all(withNewest)
    },

    updateWebhook: ({ params: { id }, body, caller }) => {
      if (body.url !== undefined) assertUsable(context, body.url)
      const { url, description, events: wanted, enabled } = body
      const change: Partial<WebhookEndpointRow> = {
        ...(url === undefined ? {} : { url }),
        ...(description === undefined ? {} : { description }),
        ...(wanted === undefined ? {} : { events: listOf(wanted) }),
        ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0, disabled_reason: null }),
      }
      return transact(database, async (tx): Promise<Webhook> => {
        await assertStillGood(tx, caller.keyId, now())
        const present = await findEndpoint(tx, id)
        const changed = Object.keys(body)
        const row = changed.length === 0 ? present : await changeEndpoint(tx, id, change)
        if (!row) throw new Problem('webhook_not_found')
        if (changed.length > 0) await events.webhookUpdated({ webhook: id, key_id: caller.keyId, changed }, tx)
        return presentEndpoint(row)
      })
    },

    removeWebhook: async ({ params: { id }, caller }) => {
      await transact(database, async (tx) => {
        if (!(await removeEndpoint(tx, id))) throw new Problem('webhook_not_found')
        await events.webhookRemoved({ webhook: id, key_id: caller.keyId }, tx)
      })
      return { status: 'ok' }
    },
  } satisfies Partial<Handlers>
}

/** @throws {Problem} `conflict` */
function assertOn({ enabled }: WebhookEndpointRow): void {
  if (enabled !== 1) throw new Problem('conflict', 'The webhook is paused. Resume it first.')
}

/** What was sent, and sending it by hand. */
function deliveryHandlers(context: GatewayContext) {
  const { database, queue, events, now } = context
  return {
    testWebhook: ({ params: { id }, caller }) =>
      transact(database, async (tx): Promise<WebhookDelivery> => {
        const endpoint = await findEndpoint(tx, id)
        if (!endpoint) throw new Problem('webhook_not_found')
        assertOn(endpoint)
        const row = newDelivery(id, testMessage(id, now()), now())
        await postMessages(context, tx, [row])
        await events.webhookTested({ webhook: id, message: row.id, key_id: caller.keyId }, tx)
        return presentDelivery(row)
      }),

    listWebhookDeliveries: async ({ params: { id }, query }) => {
      if (!(await findEndpoint(database.db, id))) throw new Problem('webhook_not_found')
      return (await listDeliveries(database.db, id, query)).map(presentDelivery)
    },

    replayWebhookDelivery: ({ params: { id }, caller }) =>
      transact(database, async (tx): Promise<WebhookDelivery> => {
        const delivery = await findDelivery(tx, id)
        const endpoint = delivery && (await findEndpoint(tx, delivery.endpoint_id))
        if (!delivery || !endpoint) throw new Problem('delivery_not_found')
        if (delivery.state === 'pending') throw new Problem('conflict', 'This delivery is still in progress.')
        assertOn(endpoint)
        const row = await changeDelivery(tx, id, { state: 'pending', tries: 0, next_try_at: now().toISOString() })
        await queue.enqueue(tx, [{ kind: webhookWork, subjectId: id, lane: laneOf(endpoint.id) }])
        await database.signals.tell(tx, 'webhooks')
        await events.webhookReplayed({ webhook: endpoint.id, message: id, key_id: caller.keyId }, tx)
        return presentDelivery(row ?? delivery)
      }),
  } satisfies Partial<Handlers>
}

/** Outbound webhooks, for keys that administer. */
export function webhookHandlers(context: GatewayContext) {
  return { ...secretHandlers(context), ...endpointHandlers(context), ...deliveryHandlers(context) }
}
