import { checkUrl } from '../checks.ts'
import { settingRows } from '../row.ts'

/** A host name or address with a port: `logs.example.org:6514`, `[2001:db8::1]:6514`. */
const isHostAndPort = (value: string) =>
  /^(\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i.test(value) && Number(value.split(':').at(-1)) <= 65_535
    ? undefined
    : 'Enter a host and a port, like logs.example.org:6514.'

/** Where copies of the audit trail go, so that someone who can rewrite the database cannot rewrite what happened. */
export const trailRows = settingRows({ group: 'security', at: 'security' }, [
  {
    type: 'text',
    key: 'trail_syslog',
    label: 'Copy audit trail to syslog',
    help: 'Host and port of a syslog server that accepts TLS (RFC 5425). Leave blank to turn this off.',
    placeholder: 'logs.example.org:6514',
    opensAccess: true,
    check: isHostAndPort,
  },
  {
    type: 'text',
    key: 'trail_syslog_ca',
    label: 'Certificate authority of the syslog server',
    help: 'A PEM file. Leave blank to trust the authorities that Node.js trusts.',
    environmentOnly: true,
    placeholder: '/etc/faxdeck/syslog-ca.pem',
  },
  {
    type: 'text',
    key: 'trail_webhook_url',
    label: 'Copy audit trail to a webhook',
    help: 'Entries are posted here in order, up to 500 at a time. Leave blank to turn this off.',
    placeholder: 'https://audit.example.org/faxdeck',
    opensAccess: true,
    check: checkUrl('https', 'http'),
  },
  {
    type: 'secret',
    key: 'trail_webhook_secret',
    label: 'Secret of that webhook',
    help: 'Signs each message (Standard Webhooks): whsec_ and at least 24 random bytes as base64. Required for the webhook.',
    check: (value) =>
      /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(value)
        ? undefined
        : 'Enter whsec_ followed by at least 24 random bytes as base64, for example from: openssl rand -base64 32',
  },
  {
    type: 'text',
    key: 'trail_file',
    label: 'Copy audit trail to a file',
    help: 'Entries with their hashes are appended here and synced, one JSON line each. Leave blank to turn this off.',
    environmentOnly: true,
    placeholder: '/mnt/worm/faxdeck-trail.jsonl',
  },
  {
    type: 'number',
    key: 'trail_anchor_minutes',
    label: 'Anchor the copies every (minutes)',
    help: 'Each copy receives the number and hash of the newest entry, even when nothing happens.',
    default: 15,
    min: 1,
    max: 1440,
    advanced: true,
  },
])
