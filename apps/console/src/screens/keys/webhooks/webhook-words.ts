import type { DeliveryState, InboundContent, Webhook, WebhookDelivery, WebhookEvent } from '@faxdeck/contract'
import { inboundContents } from '@faxdeck/contract/webhook-events'
import { gatewayNow } from '../../../api/live/gateway-clock.ts'
import type { Replayed } from './queries.ts'

/** When each event is sent, in plain words. */
export const eventMeanings: Record<WebhookEvent, string> = {
  'fax.queued': 'A fax is accepted and waiting to be sent',
  'fax.sending': 'An attempt to send a fax starts',
  'fax.delivered': 'A fax is confirmed as delivered',
  'fax.failed': 'A fax fails permanently or is canceled',
  'fax.uncertain': 'The outcome of a fax is unconfirmed and needs a decision',
  'inbound.received': 'A received fax is stored and can be read',
  'inbound.failed': 'A fax arrives incomplete',
  'inbound.updated': 'The text of a received fax is recognized, or its outcome becomes clear',
}

/** What a webhook is sent of a received fax. */
export const contentNames: Record<InboundContent, string> = {
  id: 'Only the ID',
  details: 'Numbers, group and time',
  link: 'Details and a link to the document',
  document: 'Details and the document',
}
export const contentChoices = inboundContents.map((value) => ({ value, label: contentNames[value] }))

export const contentMeanings: Record<InboundContent, string> = {
  id: 'The endpoint fetches everything else with a key of its own.',
  details: 'Deliveries contain full phone numbers.',
  link: 'The link works for an hour without a key. Each download is recorded.',
  document: 'The PDF is part of the delivery. Above 5 MB it is a link instead.',
}

/** What a webhook is called: its description, else the host of its address. */
export const webhookName = ({ description, url }: Pick<Webhook, 'description' | 'url'>) =>
  description ?? (URL.canParse(url) ? new URL(url).host : url)

/** The address without what nearly all begin with. */
export const shortAddress = (url: string) => url.replace(/^https:\/\//, '')

/** Deliveries of whatever state. */
export const anyState: DeliveryState | '' = ''

export const stateChoices: { value: DeliveryState | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'In progress' },
  { value: 'delivered', label: 'Delivered' },
]

/** What is wrong with an address that is typed; the gateway knows more. */
export function addressFault(typed: string): string | undefined {
  if (typed === '') return undefined
  if (!URL.canParse(typed) || !/^https?:$/.test(new URL(typed).protocol)) {
    return 'Enter a full address, such as https://hooks.example.com/faxdeck'
  }
  return undefined
}

/** Until when messages carry a signature of the secret before as well; undefined when they carry one alone. */
export function overlapEnd({ previous_secret_until: until }: Pick<Webhook, 'previous_secret_until'>) {
  return until && Date.parse(until) > gatewayNow() ? until : undefined
}

const deliveries = (count: number) => (count === 1 ? '1 delivery' : `${count.toLocaleString('en')} deliveries`)

/** What became of a wish to send again. */
export function replayedWords({ queued, skipped }: Replayed): string {
  if (queued > 0) return `Replaying ${deliveries(queued)}`
  return skipped > 0 ? `Already in progress: ${deliveries(skipped)}` : 'No deliveries to replay'
}

/** The payload as it is easiest to read. */
export function readablePayload({ payload }: Pick<WebhookDelivery, 'payload'>): string {
  return JSON.stringify(JSON.parse(payload), null, 2)
}
