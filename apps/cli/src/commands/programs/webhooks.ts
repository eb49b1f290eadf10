import { type Client, type ListedWebhook, type Webhook, type WebhookDelivery, webhookEvents } from '@faxdeck/contract'
import { type Command, command, type Desk, option } from '../../command.ts'
import { oneOf, usageFault } from '../../fault.ts'
import { timeOf } from '../../terminal/fax-lines.ts'
import { cursor, limit, limitOf } from '../../calls/limit.ts'
import type { Cell } from '../../terminal/output.ts'

const states = ['pending', 'delivered', 'failed'] as const

function stateOf({ enabled, disabled_reason: reason }: Webhook): Cell {
  if (enabled) return 'active'
  return { text: reason === null ? 'paused' : 'stopped', style: 'yellow' }
}

const lastOf = ({ last_delivery: last }: ListedWebhook) =>
  last === null ? '' : `${last.state} ${timeOf(last.last_try_at ?? last.created_at)}`

const list = command({
  name: 'webhooks list',
  summary: 'List the webhooks of your key, or all with an administrator key',
  examples: ['faxdeck webhooks list'],
  async run(_given, { client, out }) {
    const found = await client.listOwnWebhooks({})
    out.answer(found, () => {
      const rows = found.map((each) => [each.id, each.url, stateOf(each), each.events.join(' '), lastOf(each)])
      if (rows.length > 0) out.table(['Webhook', 'Address', 'State', 'Events', 'Last delivery'], rows)
    })
    for (const { id, disabled_reason: reason } of found) if (reason !== null) out.note(`${id}: ${reason}`)
  },
})

/** The secret stands alone on standard output, so that a script can take it. */
function showSecret({ out }: Desk, webhook: Webhook & { secret: string }, note: string): void {
  out.note(note)
  out.answer(webhook, () => out.line(webhook.secret))
}

function eventsOf(given: readonly string[] | undefined) {
  const named = given?.flatMap((text) => text.split(',')).map((text) => text.trim())
  if (named === undefined) return [...webhookEvents]
  const all = webhookEvents.join(', ')
  return named.map((name) => oneOf(webhookEvents, name, `There is no event "${name}". The events are ${all}.`))
}

const create = command({
  name: 'webhooks create',
  takes: '<address>',
  summary: 'Add a webhook and print its secret',
  about: 'It reports on the faxes that your key sees. Only the secret is written to standard output.',
  options: {
    event: option('<event>', 'An event to send; can be repeated. All events by default.', {
      multiple: true,
      choices: webhookEvents,
    }),
    description: option('<text>', 'What it is for.'),
  },
  examples: ['faxdeck webhooks create https://hooks.example.com/faxdeck --event fax.delivered --event fax.failed'],
  async run({ words: [url = ''], options }, desk) {
    const body = { url, events: eventsOf(options.event), description: options.description ?? null }
    const made = await desk.client.createOwnWebhook({ body })
    showSecret(desk, made, `Webhook ${made.id}. Its secret is shown only once:`)
  },
})

function deliveryRow({
  id,
  event,
  state,
  tries,
  response_status: status,
  last_try_at: at,
  error,
}: WebhookDelivery): Cell[] {
  const style = state === 'failed' ? 'red' : state === 'delivered' ? 'green' : undefined
  return [
    id,
    event,
    { text: state, style },
    String(tries),
    String(status ?? ''),
    at === null ? '' : timeOf(at),
    error ?? '',
  ]
}
const deliveryHeading = ['Delivery', 'Event', 'State', 'Attempts', 'Status', 'Last attempt', 'Message']

const test = command({
  name: 'webhooks test',
  takes: '<webhook>',
  summary: 'Send a test message to a webhook',
  about: 'It is sent once and not retried. "faxdeck webhooks deliveries" shows the result.',
  examples: ['faxdeck webhooks test 3f2a9c0b7d5e41868a1c6f0e92b4d7a5'],
  async run({ words: [id = ''] }, { client, out }) {
    const sent = await client.testOwnWebhook({ params: { id } })
    out.answer(sent, () => out.table(deliveryHeading, [deliveryRow(sent)]))
  },
})

const rotate = command({
  name: 'webhooks rotate',
  takes: '<webhook>',
  summary: 'Replace the secret of a webhook and print the new one',
  about: 'For the given number of hours, deliveries are also signed with the old secret.',
  options: {
    keep: option('<hours>', 'How many hours the old secret stays valid, 0 to 168 (default 24).'),
  },
  examples: ['faxdeck webhooks rotate 3f2a9c0b7d5e41868a1c6f0e92b4d7a5 --keep 48'],
  async run({ words: [id = ''], options }, desk) {
    const hours = Number(options.keep ?? 24)
    if (!Number.isInteger(hours) || hours < 0 || hours > 168)
      throw usageFault('--keep is a whole number from 0 to 168.')
    const changed = await desk.client.rotateOwnWebhookSecret({ params: { id }, body: { keep_hours: hours } })
    showSecret(desk, changed, 'The new secret is shown only once:')
  },
})

/** Switches webhooks off and on. */
const switching = (['pause', 'resume'] as const).map((verb) =>
  command({
    name: `webhooks ${verb}`,
    takes: '<webhook>',
    summary: verb === 'pause' ? 'Pause deliveries to a webhook' : 'Resume deliveries to a webhook',
    examples: [`faxdeck webhooks ${verb} 3f2a9c0b7d5e41868a1c6f0e92b4d7a5`],
    async run({ words: [id = ''] }, { client, out }) {
      const changed = await client.updateOwnWebhook({ params: { id }, body: { enabled: verb === 'resume' } })
      out.answer(changed, () => out.line(`${changed.url}: `, stateOf(changed)))
    },
  }),
)

const remove = command({
  name: 'webhooks delete',
  takes: '<webhook>…',
  max: 20,
  summary: 'Delete webhooks and the record of their deliveries',
  examples: ['faxdeck webhooks delete 3f2a9c0b7d5e41868a1c6f0e92b4d7a5'],
  async run({ words }, { client, out }) {
    for (const id of words) await client.removeOwnWebhook({ params: { id } })
    out.answer({ deleted: words }, () => out.line(`Deleted: ${words.join(', ')}.`))
  },
})

const deliveries = command({
  name: 'webhooks deliveries',
  takes: '<webhook>',
  summary: 'List deliveries to a webhook and their outcomes, newest first',
  options: {
    state: option('<state>', 'Only deliveries in this state.', { choices: states }),
    limit,
    cursor,
  },
  examples: ['faxdeck webhooks deliveries 3f2a9c0b7d5e41868a1c6f0e92b4d7a5 --state failed'],
  async run({ words: [id = ''], options }, { client, out }) {
    const given = options.state
    const state = given === undefined ? given : oneOf(states, given, `--state is one of ${states.join(', ')}.`)
    const count = limitOf(options.limit)
    type Query = NonNullable<Parameters<Client['listOwnWebhookDeliveries']>[0]>['query']
    const query: Query = { limit: count, state, cursor: options.cursor }
    const found = await client.listOwnWebhookDeliveries({ params: { id }, query })
    out.answer(found, () => {
      if (found.length > 0) out.table(deliveryHeading, found.map(deliveryRow))
    })
    const last = found.length === count ? found.at(-1) : undefined
    if (last) out.note(`The next page: --cursor ${last.cursor}`)
  },
})

const replay = command({
  name: 'webhooks replay',
  takes: '<delivery>…',
  max: 1000,
  summary: 'Send deliveries again, with the same webhook-id',
  examples: ['faxdeck webhooks replay msg_0123456789abcdef0123456789abcdef'],
  async run({ words }, { client, out }) {
    const sent: WebhookDelivery[] = []
    for (const id of words) sent.push(await client.replayOwnWebhookDelivery({ params: { id } }))
    out.answer(sent, () => out.table(deliveryHeading, sent.map(deliveryRow)))
  },
})

/** Webhooks of the key: what is sent to other programs. */
export const webhooks: readonly Command[] = [list, create, test, rotate, ...switching, deliveries, replay, remove]
