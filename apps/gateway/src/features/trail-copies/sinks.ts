import type { GuardedFetch } from '../../base/outgoing/guarded-fetch.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import type { TrailSink, TrailMessage } from './message.ts'
import { syslogSink } from './syslog-sink.ts'
import { hash } from 'node:crypto'
import { webhookFault } from '../../base/outgoing/reach.ts'
import { sendMessage } from '../../base/outgoing/send.ts'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Whether the last line has its end: a crash may have cut it short. */
async function endsWhole(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return true
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 10
}

/** A new file is certain only once its folder is synced too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** Opens the file for each batch, so that one that was rotated away is left alone and a new one begun. */
async function append(path: string, messages: readonly TrailMessage[]): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const start = (await endsWhole(file)) ? '' : '\n'
    await file.appendFile(start + messages.map(({ json }) => `${json}\n`).join(''))
    await file.datasync()
    if (size === 0) await syncFolder(path)
  } finally {
    await file.close()
  }
}

/** Appends to a file, one JSON line each, synced to disk. */
export const fileSink = (path: string): TrailSink => ({
  name: 'file',
  target: path,
  send: async (messages) => {
    try {
      await append(path, messages)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
      throw new Error(`The file ${path} cannot be written (${code}).`, { cause: error })
    }
  },
})

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
