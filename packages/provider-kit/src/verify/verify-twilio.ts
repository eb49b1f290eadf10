import { createHmac } from 'node:crypto'
import { byName, equalInConstantTime } from './signatures.ts'
import type { WebhookRequest } from '../provider.ts'

/**
 * Checks a signature as Twilio computes it for form posts, and SignalWire after it (scheme B of its WebhookValidator):
 * the base64 HMAC-SHA1 of the URL and of every field as name and value in order of names.
 * As with the vendors' own validators, the URL counts as signed with its port, with that of its scheme where it names
 * none, and without any.
 * @param header name of the header, for example `X-SignalWire-Signature`
 * @returns false also without a key or without the header
 */
export function verifyTwilio(request: WebhookRequest, header: string, key: string | null): boolean {
  const given = request.headers[header.toLowerCase()]
  if (!key || !given) return false
  const content = byName(request.fields)
    .map(([name, value]) => name + value)
    .join('')
  const matches = spellings(request.url).map((url) =>
    equalInConstantTime(
      given,
      createHmac('sha1', key)
        .update(url + content)
        .digest('base64'),
    ),
  )
  return matches.includes(true)
}

/** The URL without a port, and with its own or that of its scheme. */
function spellings(url: string): string[] {
  const parts = /^(https?):\/\/([^/?#:@]+|\[[^\]]*\])(:\d+)?([/?#].*)?$/is.exec(url)
  if (!parts) return [url]
  const [, scheme = '', host = '', port, rest = ''] = parts
  const usual = scheme.toLowerCase() === 'https' ? ':443' : ':80'
  return [`${scheme}://${host}${rest}`, `${scheme}://${host}${port ?? usual}${rest}`]
}
