import type { WebhookHead } from '@faxdeck/provider-kit'

interface ArrivedHead {
  method: string
  /** The path with its query, as requested. */
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

function singleHeaders(headers: ArrivedHead['headers']): Record<string, string | undefined> {
  const single = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  return Object.fromEntries(single) as Record<string, string | undefined>
}

/**
 * The head of a webhook in the shape that providers judge. The URL is the registered one: the public address with the
 * path and query of the request, because a signature covers what the provider was given, not what a proxy made of it.
 */
export function readHead({ method, path, headers }: ArrivedHead, publicUrl: string): WebhookHead {
  return {
    method,
    url: publicUrl + path,
    headers: singleHeaders(headers),
    query: Object.fromEntries(new URL(path, 'http://localhost').searchParams),
  }
}
