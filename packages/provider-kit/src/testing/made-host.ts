import { sampleFax } from '../conformance/conformance-send.ts'
import type { UncertainAttempt } from '../outcome/uncertain-attempt.ts'
import type { Host, OutgoingFax, ProviderSettings, WebhookRequest } from '../provider.ts'

/** What the gateway gives a provider, for tests: real requests unless set otherwise, and nobody to report to. */
export function madeHost(change: Partial<Host> = {}): Host {
  const unused = () => Promise.reject(new Error('Nobody listens in this test.'))
  return {
    fetch,
    directory: '/nowhere',
    publicUrl: 'https://fax.example.test',
    now: () => new Date(),
    report: unused,
    receive: unused,
    log: { info: () => undefined, warn: () => undefined },
    ...change,
  }
}

/** A webhook that arrived as a URL-encoded form, in the shape that providers are given. */
export function formRequest(url: string, form: string, headers: WebhookRequest['headers'] = {}): WebhookRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    query: Object.fromEntries(new URL(url).searchParams),
    body: Buffer.from(form),
    fields: [...new URLSearchParams(form)],
    files: [],
  }
}

/** What a provider's variables come to as settings, its defaults beneath. */
export function settingsFrom(
  rows: readonly { key: string; env: string; default: ProviderSettings[string] }[],
  env: Readonly<Record<string, string>>,
): ProviderSettings {
  return Object.fromEntries(rows.map((row) => [row.key, env[row.env] ?? row.default]))
}

let attempts = 0

/** A fax with an attempt of its own. */
export function faxTo(to: string, change: Partial<OutgoingFax> = {}): OutgoingFax {
  attempts += 1
  const attemptId = attempts.toString(16).padStart(32, '0')
  const pdf = () => Promise.resolve(Buffer.from('%PDF-1.4 /Type/Page /Type/Page\n%%EOF\n'))
  return { ...sampleFax, attemptId, to, pages: 2, pdf, ...change }
}

/** What is known of an attempt that began now, when its provider is asked about it for the first time. */
export function handedOver(to = '+15555550123', change: Partial<UncertainAttempt> = {}): UncertainAttempt {
  return {
    to,
    at: new Date(),
    clock: () => undefined,
    overForMs: () => Infinity,
    witness: () => Promise.resolve(undefined),
    isKnown: () => Promise.resolve(false),
    hasRival: () => Promise.resolve(false),
    ...change,
  }
}
