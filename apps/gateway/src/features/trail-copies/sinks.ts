import type { GuardedFetch } from '../../base/outgoing/guarded-fetch.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import { fileSink } from './file-sink.ts'
import type { TrailSink } from './message.ts'
import { syslogSink } from './syslog-sink.ts'
import { webhookSink } from './webhook-sink.ts'

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
