import type { WebhookRequest } from '@faxdeck/provider-kit'
import { readForm } from '../http/read-form.ts'

/** A webhook as it came in, before anything is known about it. */
export interface ArrivedWebhook {
  method: string
  /** The path with its query, as requested. */
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

function singleHeaders(headers: ArrivedWebhook['headers']): Record<string, string | undefined> {
  const single = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  return Object.fromEntries(single) as Record<string, string | undefined>
}

/**
 * A webhook in the shape that providers verify and translate. The URL is the registered one: the public address with
 * the path and query of the request, because a signature covers what the provider was given, not what a proxy made of it.
 * @throws {Error} when a form cannot be read
 */
export function readWebhook(arrived: ArrivedWebhook, publicUrl: string): WebhookRequest {
  const headers = singleHeaders(arrived.headers)
  return {
    method: arrived.method,
    url: publicUrl + arrived.path,
    headers,
    query: Object.fromEntries(new URL(arrived.path, 'http://localhost').searchParams),
    body: arrived.body,
    ...readForm(arrived.body, headers['content-type'] ?? ''),
  }
}
