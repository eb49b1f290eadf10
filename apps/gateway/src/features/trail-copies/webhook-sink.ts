import { hash } from 'node:crypto'
import type { GuardedFetch } from '../../base/outgoing/guarded-fetch.ts'
import { webhookFault } from '../../base/outgoing/reach.ts'
import { sendMessage } from '../../base/outgoing/send.ts'
import type { TrailSink } from './message.ts'

interface WebhookParts {
  fetch: GuardedFetch['fetch']
  secret: string | null
  /** Networks that webhooks may reach besides the public internet. */
  allowed: string | null
  now: () => Date
}

/** Posts batches as JSON lines of one object, signed as other webhooks are. The same batch has the same id. */
export const webhookSink = (url: string, { fetch, secret, allowed, now }: WebhookParts): TrailSink => ({
  name: 'webhook',
  target: url,
  send: async (messages, signal) => {
    if (secret === null) throw new Error('The webhook of the audit trail has no secret. Set TRAIL_WEBHOOK_SECRET.')
    const fault = webhookFault(url, allowed)
    if (fault) throw new Error(fault)
    const body = `{"type":"trail.entries","entries":[${messages.map(({ json }) => json).join(',')}]}`
    const id = `trail_${hash('sha256', body).slice(0, 32)}`
    const { error } = await sendMessage(fetch, { id, url, body, secrets: [secret], at: now() }, signal)
    if (error !== null) throw new Error(error)
  },
})
