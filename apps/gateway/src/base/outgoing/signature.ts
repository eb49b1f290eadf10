import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** A secret of 256 random bits, as Standard Webhooks writes it: `whsec_` and base64. */
export const newSecret = () => prefix + randomBytes(32).toString('base64')

/**
 * The headers that prove where a message comes from (Standard Webhooks 1.0.0): HMAC-SHA256 of id, time and body, one
 * signature per secret.
 * @param at the instant of this try
 */
export function signedHeaders(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': secrets.map(sign).join(' ') }
}
