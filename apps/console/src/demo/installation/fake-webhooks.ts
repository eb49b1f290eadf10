import type { ListedWebhook, Webhook } from '@faxdeck/contract'
import { type FakeCalls, findIn, leastReply, Refusal } from '../fake-calls.ts'
import { addEvent } from '../records/fake-logs.ts'
import { addMessage, attemptsOf } from '../records/fake-messages.ts'
import { type FakeWebhook, instantOf, type World } from '../world.ts'

const hour = 3_600_000
const secretFor = (world: World) => `whsec_${world.nextId(43)}=`

/** A webhook in the world, as if somebody had made it; its receiver answers 204 unless set otherwise. */
export function addWebhook(
  world: World,
  fields: Partial<Webhook> = {},
  answers: FakeWebhook['answers'] = 204,
): FakeWebhook {
  const webhook: Webhook = {
    ...leastReply('updateWebhook'),
    id: world.nextId(),
    url: 'https://hooks.example.com/faxdeck',
    events: ['fax.delivered', 'fax.failed'],
    enabled: true,
    created_at: instantOf(world.now()),
    ...fields,
  }
  const hook: FakeWebhook = { webhook, secret: secretFor(world), messages: [], answers }
  world.webhooks.push(hook)
  return hook
}

function assertUsable(url: string | undefined): void {
  if (url === undefined || new URL(url).protocol === 'https:') return
  const message = 'Use https://. Plain http:// is only for networks listed in WEBHOOK_ALLOWED_CIDRS.'
  throw new Refusal('invalid', message, [{ field: 'url', message }])
}

function assertOn({ webhook }: FakeWebhook): void {
  if (!webhook.enabled) throw new Refusal('conflict', 'The webhook is paused. Resume it first.')
}

const defined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields

export function webhookCalls(world: World) {
  const find = (id: string) => findIn(world.webhooks, ({ webhook }) => webhook.id === id, 'webhook_not_found')
  return {
    listWebhooks: () =>
      world.webhooks.map(({ webhook, messages }): ListedWebhook => ({
        ...webhook,
        last_delivery: messages[0] ?? null,
      })),
    createWebhook: ({ body }) => {
      assertUsable(body.url)
      const { webhook, secret } = addWebhook(world, { ...body, description: body.description ?? null })
      addEvent(world, 'webhook_created', { webhook: webhook.id })
      return { ...webhook, secret }
    },
    updateWebhook: ({ params, body }) => {
      assertUsable(body.url)
      const { webhook } = find(params.id)
      Object.assign(webhook, defined(body), body.enabled === undefined ? {} : { disabled_reason: null })
      addEvent(world, 'webhook_updated', { webhook: webhook.id })
      return webhook
    },
    removeWebhook: ({ params }) => {
      world.webhooks.splice(world.webhooks.indexOf(find(params.id)), 1)
      addEvent(world, 'webhook_removed', { webhook: params.id })
      return { status: 'ok' }
    },
    rotateWebhookSecret: ({ params, body }) => {
      const hook = find(params.id)
      const { keep_hours: kept = 24 } = body
      hook.secret = secretFor(world)
      hook.webhook.previous_secret_until = kept > 0 ? instantOf(world.now() + kept * hour) : null
      addEvent(world, 'webhook_rotated', { webhook: params.id })
      return { ...hook.webhook, secret: hook.secret }
    },
    ...messageCalls(world, find),
  } satisfies FakeCalls
}

function messageCalls(world: World, find: (id: string) => FakeWebhook) {
  return {
    testWebhook: ({ params: { id } }) => {
      const hook = find(id)
      assertOn(hook)
      addEvent(world, 'webhook_tested', { webhook: id })
      return addMessage(world, hook, { event: 'webhook.test', subject: id, data: { id } })
    },
    listWebhookDeliveries: ({ params, query: { state, limit, cursor } }) =>
      find(params.id)
        .messages.filter((each) => (!state || [state].flat().includes(each.state)) && (!cursor || each.cursor < cursor))
        .slice(0, Number(limit ?? 50)),
    getWebhookDelivery: ({ params }) => {
      const all = world.webhooks.flatMap(({ messages }) => messages)
      const message = findIn(all, ({ id }) => id === params.id, 'delivery_not_found')
      return { ...message, attempts: attemptsOf(message) }
    },
    replayWebhook: ({ params, body }) => {
      const hook = find(params.id)
      assertOn(hook)
      const wanted = hook.messages.filter(
        ({ event, created_at, state }) =>
          event !== 'webhook.test' &&
          Date.parse(created_at) >= Date.parse(body.since) &&
          (body.messages !== 'failed' || state !== 'delivered'),
      )
      const again = wanted.filter(({ state }) => state !== 'pending')
      for (const message of again)
        Object.assign(message, { state: 'pending', tries: 0, next_try_at: instantOf(world.now()) } as const)
      addEvent(world, 'webhook_replayed_since', { webhook: params.id })
      return { since: body.since, queued: again.length, skipped: wanted.length - again.length, next_since: null }
    },
    replayWebhookDelivery: ({ params }) => {
      const hook = world.webhooks.find(({ messages }) => messages.some(({ id }) => id === params.id))
      const message = hook?.messages.find(({ id }) => id === params.id)
      if (!hook || !message) throw new Refusal('delivery_not_found')
      if (message.state === 'pending') throw new Refusal('conflict', 'This delivery is still in progress.')
      assertOn(hook)
      addEvent(world, 'webhook_replayed', { webhook: hook.webhook.id })
      return Object.assign(message, { state: 'pending', tries: 0, next_try_at: instantOf(world.now()) } as const)
    },
  } satisfies FakeCalls
}
