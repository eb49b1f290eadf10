import { sampleFax } from '../conformance/conformance-send.ts'
import type { UncertainAttempt } from '../outcome/uncertain-attempt.ts'
import type { Host, OutgoingFax, ProviderSettings } from '../provider.ts'

/** A gateway's side of a cloud provider's line: real requests, a clock that is set. */
export function cloudHost({
  fetch = globalThis.fetch,
  now = () => new Date(),
}: Partial<Pick<Host, 'fetch' | 'now'>> = {}): Host {
  const unused = () => Promise.reject(new Error('A cloud provider tells by callbacks.'))
  return {
    fetch,
    now,
    directory: '/nowhere',
    publicUrl: 'https://fax.example.test',
    report: unused,
    receive: unused,
    log: { info: () => undefined, warn: () => undefined },
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
    witness: () => Promise.resolve(undefined),
    isKnown: () => Promise.resolve(false),
    hasRival: () => Promise.resolve(false),
    ...change,
  }
}
