import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from './index.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const body = '{"type":"fax.delivered","timestamp":"2026-11-23T09:00:00.000Z","data":{"id":"ä"}}'
const now = () => Math.floor(Date.now() / 1000)

/** Headers as the gateway writes them, made of Node's own HMAC. */
function headersOf({ at = now(), secrets = [secret], signed = body, id = 'msg_1' } = {}) {
  const sign = (each: string) =>
    `v1,${createHmac('sha256', Buffer.from(each.slice('whsec_'.length), 'base64'))
      .update(`${id}.${at}.${signed}`)
      .digest('base64')}`
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': secrets.map(sign).join(' ') }
}

describe('a message of a webhook', () => {
  it('is read when it is signed, from text, bytes, and either kind of headers', async () => {
    const expected = { type: 'fax.delivered', data: { id: 'ä' } }
    expect(await verifyWebhook({ body, headers: headersOf(), secret })).toMatchObject(expected)
    const headers = new Headers(headersOf())
    expect(await verifyWebhook({ body: Buffer.from(body), headers, secret })).toMatchObject(expected)
  })

  it('is read while the secret is changed on either side', async () => {
    const next = `whsec_${randomBytes(32).toString('base64')}`
    await verifyWebhook({ body, headers: headersOf({ secrets: [next, secret] }), secret })
    await verifyWebhook({ body, headers: headersOf({ secrets: [next] }), secret: [secret, next] })
  })

  it.each([
    ['another body', body.replace('delivered', 'failed'), headersOf()],
    ['another id', body, { ...headersOf(), 'webhook-id': 'msg_2' }],
    ['another secret', body, headersOf({ secrets: [`whsec_${randomBytes(32).toString('base64')}`] })],
    ['an old time', body, headersOf({ at: now() - 301 })],
    ['a time to come', body, headersOf({ at: now() + 310 })],
    ['a time that is none', body, { ...headersOf(), 'webhook-timestamp': 'NaN' }],
    ['no signature', body, { ...headersOf(), 'webhook-signature': undefined }],
    ['a signature of another scheme', body, { ...headersOf(), 'webhook-signature': 'v2,AAAA' }],
    ['a signature that is no Base64', body, { ...headersOf(), 'webhook-signature': 'v1,%%%' }],
    ['an empty signature', body, { ...headersOf(), 'webhook-signature': 'v1,' }],
  ])('is refused with %s', async (_, given, headers) => {
    await expect(verifyWebhook({ body: given, headers, secret })).rejects.toThrow(WebhookVerificationError)
  })

  it('cannot be checked with a secret that is none, which is nobody’s forgery', async () => {
    const check = verifyWebhook({ body, headers: headersOf(), secret: 'letmein' })
    await expect(check).rejects.toThrow('whsec_ followed by')
    await expect(check).rejects.not.toBeInstanceOf(WebhookVerificationError)
  })
})
