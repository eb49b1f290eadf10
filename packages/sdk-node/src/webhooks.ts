import { ask, type Ask, type Connection } from './request.ts'
import type { Webhook, WebhookDelivery, WebhookDeliveryDetail, WebhookReplay, WebhookWithSecret } from './shapes.ts'

interface Options {
  signal?: AbortSignal
}

/** What a webhook is told, and where. */
export interface WebhookChange {
  url?: string
  events?: Webhook['events']
  description?: string | null
  /** What it is sent of a received fax: `id`, `details`, `link` or `document`. */
  inboundContent?: Webhook['inbound_content']
  enabled?: boolean
}

const perPage = 100
const pathOf = (id: string, rest = '') => `/webhooks/${encodeURIComponent(id)}${rest}`
const deliveryPath = (id: string, rest = '') => `/webhook-deliveries/${encodeURIComponent(id)}${rest}`
const wire = ({ inboundContent: inbound_content, ...change }: WebhookChange) => ({ ...change, inbound_content })

/** The webhooks of this key; those of everybody for an administrator key. */
export class Webhooks {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The webhooks, oldest first. */
  list(options: Options = {}): Promise<Webhook[]> {
    return this.#json('/webhooks', options)
  }

  /** Adds a webhook. Store its `secret`, which `verifyWebhook` takes: no other answer contains it. */
  create({
    signal,
    ...wanted
  }: Options &
    Omit<WebhookChange, 'enabled'> &
    Required<Pick<WebhookChange, 'url' | 'events'>>): Promise<WebhookWithSecret> {
    return this.#json('/webhooks', { method: 'POST', json: wire(wanted), signal })
  }

  /** Changes a webhook, or switches it off and on. */
  update(id: string, { signal, ...change }: Options & WebhookChange): Promise<Webhook> {
    return this.#json(pathOf(id), { method: 'PUT', json: wire(change), repeatable: true, signal })
  }

  /** Removes a webhook and the record of its deliveries. */
  async delete(id: string, options: Options = {}): Promise<void> {
    await ask(this.#connection, pathOf(id), { method: 'DELETE', ...options })
  }

  /** Replaces the secret. Deliveries are also signed with the one before for `keepHours`, 24 when it is not given. */
  rotateSecret(id: string, { keepHours, signal }: Options & { keepHours?: number } = {}): Promise<WebhookWithSecret> {
    return this.#json(pathOf(id, '/rotate'), { method: 'POST', json: { keep_hours: keepHours }, signal })
  }

  /** Sends a `webhook.test`, which is not retried. */
  test(id: string, options: Options = {}): Promise<WebhookDelivery> {
    return this.#json(pathOf(id, '/test'), { method: 'POST', ...options })
  }

  /** The deliveries to a webhook, newest first, page after page as they are asked for. */
  async *deliveries(
    id: string,
    { state, signal }: Options & { state?: WebhookDelivery['state'] | readonly WebhookDelivery['state'][] } = {},
  ): AsyncGenerator<WebhookDelivery> {
    let cursor: string | undefined
    for (;;) {
      const query = { limit: perPage, state, cursor }
      const page = await this.#json<WebhookDelivery[]>(pathOf(id, '/deliveries'), { query, signal })
      yield* page
      if (page.length < perPage) return
      cursor = page.at(-1)?.cursor
    }
  }

  /** One delivery with each of its attempts. */
  delivery(id: string, options: Options = {}): Promise<WebhookDeliveryDetail> {
    return this.#json(deliveryPath(id), options)
  }

  /** Sends one delivery again, with the same `webhook-id`. */
  replay(deliveryId: string, options: Options = {}): Promise<WebhookDelivery> {
    return this.#json(deliveryPath(deliveryId, '/replay'), { method: 'POST', repeatable: true, ...options })
  }

  /** Sends everything since a time again, with the same `webhook-id`s; `failed` leaves out what was delivered. */
  replaySince(
    id: string,
    since: string,
    { messages, signal }: Options & { messages?: 'all' | 'failed' } = {},
  ): Promise<WebhookReplay> {
    return this.#json(pathOf(id, '/replay'), { method: 'POST', json: { since, messages }, repeatable: true, signal })
  }

  async #json<T>(path: string, how: Ask): Promise<T> {
    return (await (await ask(this.#connection, path, how)).json()) as T
  }
}
