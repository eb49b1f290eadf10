import {
  type InboundContent,
  type ListedWebhook,
  type Webhook,
  type WebhookDelivery,
  eventSummaries,
  examplePayload,
  messageEvents,
  payloadVersion,
} from '@faxdeck/contract'
import { assertStillGood } from '../../access/actors/still-good.ts'
import { transact } from '../../base/db/transact.ts'
import type { WebhookEndpointRow } from '../../base/db/tables/webhooks.ts'
import type { Caller, Handlers } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { GatewayContext } from '../../base/context.ts'
import { sealNames } from '../../base/settings/seal.ts'
import { bringsDocument, linkHandlers } from './document.ts'
import { testMessage } from './message.ts'
import { newDelivery, postMessages, workOn } from './post.ts'
import { webhookFault } from '../../base/outgoing/reach.ts'
import { replaySince } from './replay.ts'
import { newSecret } from '../../base/outgoing/send.ts'
import {
  changeDelivery,
  changeEndpoint,
  type Db,
  findDelivery,
  findEndpoint,
  findNewest,
  insertEndpoint,
  listAttempts,
  listDeliveries,
  listEndpoints,
  newEndpointId,
  presentDelivery,
  presentEndpoint,
  removeEndpoint,
} from './store.ts'
import { messageSchema } from '@faxdeck/contract/openapi'

const describeEvents = {
  listWebhookEvents: () =>
    messageEvents.map((event) => ({
      event,
      summary: eventSummaries[event],
      version: payloadVersion,
      schema: messageSchema(event),
      example: examplePayload(event),
    })),
} satisfies Partial<Handlers>

const maxEndpoints = 20
const hourMs = 3_600_000

function assertUsable({ settings }: GatewayContext, url: string): void {
  const message = webhookFault(url, settings.current().webhook_allowed_cidrs)
  if (message) throw new Problem('invalid', message, { fields: [{ field: 'url', message }] })
}

const administers = ({ permissions }: Caller) => permissions.has('manage_webhooks')

/** Whose a webhook is that this caller adds: the installation's, or of the caller's key alone. */
const ownerOf = (caller: Caller): string | null => (administers(caller) ? null : caller.keyId)

/** @throws {Problem} `unauthorized` where no key is needed: messages go on long after the caller is gone */
function assertOwner({ keyId }: Caller): void {
  if (keyId === 'anonymous') throw new Problem('unauthorized', 'A webhook belongs to a key. Send one in X-API-Key.')
}

/** @throws {Problem} `forbidden` */
function assertMayHear(
  { permissions }: Caller,
  { events = [], inbound_content: content }: { events?: readonly string[]; inbound_content?: InboundContent },
): void {
  const hearsInbound = events.some((event) => event.startsWith('inbound.'))
  if (hearsInbound && !permissions.has('list_received'))
    throw new Problem('forbidden', 'This key lacks the scope inbound:list, which events of received faxes need.')
  if (bringsDocument(content) && !permissions.has('read_received'))
    throw new Problem('forbidden', 'This key lacks the scope inbound:read, which documents of received faxes need.')
}

/** A webhook that this caller may manage. What is not there and what is another key's are answered alike. */
async function requireEndpoint(db: Db, id: string, caller: Caller): Promise<WebhookEndpointRow> {
  const row = await findEndpoint(db, id)
  if (!row || (!administers(caller) && row.key_id !== caller.keyId)) throw new Problem('webhook_not_found')
  return row
}

const listOf = (events: readonly string[]) => [...new Set(events)].join(',')

const untroubled = {
  ...{ previous_secret: null, previous_until: null, enabled: 1, disabled_reason: null, failing_since: null },
} as const

function secretHandlers(context: GatewayContext) {
  const { database, events, now } = context
  const { seals } = context.settings
  return {
    createWebhook: async ({ body, caller }) => {
      assertOwner(caller)
      assertUsable(context, body.url)
      assertMayHear(caller, body)
      const id = newEndpointId()
      const secret = newSecret()
      const row: WebhookEndpointRow = {
        ...untroubled,
        id,
        url: body.url,
        description: body.description ?? null,
        events: listOf(body.events),
        inbound_content: body.inbound_content,
        secret: seals.seal(sealNames.webhook(id), secret),
        key_id: ownerOf(caller),
        created_at: now().toISOString(),
      }
      await transact(database, async (tx) => {
        if ((await listEndpoints(tx, ownerOf(caller))).length >= maxEndpoints) {
          throw new Problem('conflict', `There are ${maxEndpoints} webhooks already. Remove one first.`)
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
        const present = await requireEndpoint(tx, id, caller)
        const keep = body.keep_hours > 0
        const changed = await changeEndpoint(tx, id, {
          secret: seals.seal(sealNames.webhook(id), secret),
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

function endpointHandlers(context: GatewayContext) {
  const { database, events, now } = context
  return {
    listWebhooks: async ({ caller }) => {
      const rows = await listEndpoints(database.db, administers(caller) ? undefined : caller.keyId)
      const withNewest = rows.map(async (row): Promise<ListedWebhook> => {
        const newest = await findNewest(database.db, row.id)
        return { ...presentEndpoint(row), last_delivery: newest ? presentDelivery(newest) : null }
      })
      return Promise.all(withNewest)
    },

    updateWebhook: ({ params: { id }, body, caller }) => {
      if (body.url !== undefined) assertUsable(context, body.url)
      assertMayHear(caller, body)
      const { url, description, events: wanted, inbound_content, enabled } = body
      const change: Partial<WebhookEndpointRow> = {
        ...(url === undefined ? {} : { url }),
        ...(description === undefined ? {} : { description }),
        ...(wanted === undefined ? {} : { events: listOf(wanted) }),
        ...(inbound_content === undefined ? {} : { inbound_content }),
        ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0, disabled_reason: null }),
        // Another receiver, or one that was mended, begins again.
        ...(url === undefined && enabled !== true ? {} : { failing_since: null }),
      }
      return transact(database, async (tx): Promise<Webhook> => {
        await assertStillGood(tx, caller.keyId, now())
        const present = await requireEndpoint(tx, id, caller)
        const changed = Object.keys(body)
        const row = changed.length === 0 ? present : await changeEndpoint(tx, id, change)
        if (!row) throw new Problem('webhook_not_found')
        if (changed.length > 0) await events.webhookUpdated({ webhook: id, key_id: caller.keyId, changed }, tx)
        return presentEndpoint(row)
      })
    },

    removeWebhook: async ({ params: { id }, caller }) => {
      await transact(database, async (tx) => {
        await requireEndpoint(tx, id, caller)
        if (!(await removeEndpoint(tx, id))) throw new Problem('webhook_not_found')
        await events.webhookRemoved({ webhook: id, key_id: caller.keyId }, tx)
      })
      return { status: 'ok' }
    },
  } satisfies Partial<Handlers>
}

async function requireDelivery(db: Db, id: string, caller: Caller) {
  const delivery = await findDelivery(db, id)
  const endpoint = delivery && (await findEndpoint(db, delivery.endpoint_id))
  const isForeign = !administers(caller) && endpoint?.key_id !== caller.keyId
  if (!delivery || !endpoint || isForeign) throw new Problem('delivery_not_found')
  return { delivery, endpoint }
}

/** @throws {Problem} `conflict` */
function assertOn({ enabled }: WebhookEndpointRow): void {
  if (enabled !== 1) throw new Problem('conflict', 'The webhook is paused. Resume it first.')
}

function deliveryHandlers(context: GatewayContext) {
  const { database, queue, events, now } = context
  return {
    testWebhook: ({ params: { id }, caller }) =>
      transact(database, async (tx): Promise<WebhookDelivery> => {
        const endpoint = await requireEndpoint(tx, id, caller)
        assertOn(endpoint)
        const row = newDelivery(id, testMessage(id, now()), now())
        await postMessages(context, tx, [row])
        await events.webhookTested({ webhook: id, message: row.id, key_id: caller.keyId }, tx)
        return presentDelivery(row)
      }),

    listWebhookDeliveries: async ({ params: { id }, query, caller }) => {
      await requireEndpoint(database.db, id, caller)
      return (await listDeliveries(database.db, id, query)).map(presentDelivery)
    },

    getWebhookDelivery: async ({ params: { id }, caller }) => {
      const { delivery } = await requireDelivery(database.db, id, caller)
      return { ...presentDelivery(delivery), attempts: await listAttempts(database.db, id) }
    },

    replayWebhook: async ({ params: { id }, body, caller }) => {
      assertOn(await requireEndpoint(database.db, id, caller))
      const outcome = await replaySince(context, id, body)
      const facts = { webhook: id, key_id: caller.keyId, since: body.since, messages: outcome.queued }
      await events.webhookReplayedSince(facts)
      return outcome
    },

    replayWebhookDelivery: ({ params: { id }, caller }) =>
      transact(database, async (tx): Promise<WebhookDelivery> => {
        const { delivery, endpoint } = await requireDelivery(tx, id, caller)
        if (delivery.state === 'pending') throw new Problem('conflict', 'This delivery is still in progress.')
        assertOn(endpoint)
        const row = await changeDelivery(tx, id, { state: 'pending', tries: 0, next_try_at: now().toISOString() })
        await queue.enqueue(tx, [workOn(delivery)])
        await database.signals.notify(tx, 'webhooks')
        await events.webhookReplayed({ webhook: endpoint.id, message: id, key_id: caller.keyId }, tx)
        return presentDelivery(row ?? delivery)
      }),
  } satisfies Partial<Handlers>
}

/** Outbound webhooks: all for keys that administer, their own for other keys. */
export function webhookHandlers(context: GatewayContext) {
  const all = { ...secretHandlers(context), ...endpointHandlers(context), ...deliveryHandlers(context) }
  const own = {
    listOwnWebhooks: all.listWebhooks,
    createOwnWebhook: all.createWebhook,
    updateOwnWebhook: all.updateWebhook,
    removeOwnWebhook: all.removeWebhook,
    rotateOwnWebhookSecret: all.rotateWebhookSecret,
    testOwnWebhook: all.testWebhook,
    listOwnWebhookDeliveries: all.listWebhookDeliveries,
    getOwnWebhookDelivery: all.getWebhookDelivery,
    replayOwnWebhook: all.replayWebhook,
    replayOwnWebhookDelivery: all.replayWebhookDelivery,
  }
  // Their rows are those of the others with another address, scope and zone.
  return {
    ...all,
    ...describeEvents,
    ...linkHandlers(context),
    ...(own as unknown as Pick<Handlers, keyof typeof own>),
  }
}
