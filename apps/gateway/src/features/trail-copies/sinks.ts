import type { GuardedFetch } from '../../base/outgoing/guarded-fetch.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import { fileSink } from './file-sink.ts'
import type { TrailSink } from './message.ts'
import { syslogSink } from './syslog-sink.ts'
import { hash } from 'node:crypto'
import { webhookFault } from '../../base/outgoing/reach.ts'
import { sendMessage } from '../../base/outgoing/send.ts'

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

interface SinkParts {
  fetch: GuardedFetch['fetch']
  now: () => Date
}

/** The places that the settings name now. */
export function sinksOf(values: SettingsInForce, parts: SinkParts): TrailSink[] {
  const { trail_syslog: syslog, trail_webhook_url: url, trail_file: file } = values
  const { trail_syslog_ca: ca, trail_webhook_secret: secret, webhook_allowed_cidrs: allowed } = values
  return [
    ...(syslog === null ? [] : [syslogSink(syslog, ca)]),
    ...(url === null ? [] : [webhookSink(url, { ...parts, secret, allowed })]),
    ...(file === null ? [] : [fileSink(file)]),
  ]
}
