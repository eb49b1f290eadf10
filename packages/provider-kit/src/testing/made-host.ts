import type { Host, WebhookRequest } from '../provider.ts'

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
