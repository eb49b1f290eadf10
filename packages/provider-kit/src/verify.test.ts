import { describe, expect, it } from 'vitest'
import type { WebhookRequest } from './provider.ts'
import { verifyBasic } from './verify-basic.ts'
import { verifyPhaxio } from './verify-phaxio.ts'
import { verifySecret } from './verify-secret.ts'
import { verifyTwilio } from './verify-twilio.ts'

const request = (known: Partial<WebhookRequest>): WebhookRequest => ({
  method: 'POST',
  url: 'https://fax.example.test/',
  headers: {},
  query: {},
  body: new Uint8Array(),
  fields: [],
  files: [],
  ...known,
})

describe('verifyPhaxio', () => {
  const url = 'https://fax.example.test/webhooks/phaxio'
  const token = 'phx-callback-token'
  const sentFields = [
    ['success', 'true'],
    ['is_test', 'false'],
    ['direction', 'sent'],
    ['fax', '{"id":42,"status":"success"}'],
    ['event_type', 'fax_completed'],
  ] as const
  const pdf = {
    name: 'file',
    fileName: 'fax.pdf',
    contentType: 'application/pdf',
    bytes: Buffer.from('%PDF-1.4\n%%EOF\n'),
  }
  const receivedFields = [
    ['direction', 'received'],
    ['event_type', 'fax_completed'],
    ['fax', '{"id":43,"status":"success"}'],
    ['is_test', 'false'],
    ['success', 'true'],
  ] as const
  const signed = (signature: string) => ({ 'x-phaxio-signature': signature })
  const sent = request({ url, fields: sentFields, headers: signed('9dbcb8d3cbf6dc76f727a429e68ae8986293e5dd') })
  const received = request({
    url,
    fields: receivedFields,
    files: [pdf],
    headers: signed('0304b4cd34b71722515d1b595906b4980921a79c'),
  })

  it('accepts the known signatures, whatever the order of the fields', () => {
    const small = request({
      url: 'example.com',
      fields: [['test', 'true']],
      headers: signed('c8946ccc7a42780111d438d0ffc2b013af14a544'),
    })
    expect(verifyPhaxio(small, '33333')).toBe(true)
    expect(verifyPhaxio(sent, token)).toBe(true)
    expect(verifyPhaxio(received, token)).toBe(true)
  })

  it('refuses another token, another URL, another field and another byte of the file', () => {
    expect(verifyPhaxio(sent, 'phx-callback-tokeN')).toBe(false)
    expect(verifyPhaxio({ ...sent, url: `${url}/` }, token)).toBe(false)
    expect(verifyPhaxio({ ...sent, fields: [...sentFields, ['extra', '']] }, token)).toBe(false)
    const forged = { ...pdf, bytes: Buffer.from('%PDF-1.4\n%%EOG\n') }
    expect(verifyPhaxio({ ...received, files: [forged] }, token)).toBe(false)
  })

  it('refuses a request without proof, and every request while there is no token', () => {
    expect(verifyPhaxio({ ...sent, headers: {} }, token)).toBe(false)
    expect(verifyPhaxio(sent, null)).toBe(false)
    expect(verifyPhaxio(sent, '')).toBe(false)
  })
})

describe('verifyTwilio', () => {
  const header = 'X-SignalWire-Signature'
  const key = 'sw-signing-key'
  const status = request({
    url: 'https://fax.example.test/webhooks/signalwire?job=7',
    fields: [
      ['FaxSid', 'f1'],
      ['AccountSid', 'p1'],
      ['FaxStatus', 'delivered'],
      ['From', '+15551230000'],
      ['To', '+15551230001'],
      ['NumPages', '2'],
    ],
    headers: { 'x-signalwire-signature': '7NTUKCvHu0xWG+dtBy3eo3hLvUw=' },
  })

  it('accepts the known signature, with or without the port of the scheme in the URL', () => {
    expect(verifyTwilio(status, header, key)).toBe(true)
    expect(verifyTwilio({ ...status, url: status.url.replace('.test/', '.test:443/') }, header, key)).toBe(true)
  })

  it('refuses another port, another query, another field and another key', () => {
    expect(verifyTwilio({ ...status, url: status.url.replace('.test/', '.test:8443/') }, header, key)).toBe(false)
    expect(verifyTwilio({ ...status, url: status.url.replace('job=7', 'job=8') }, header, key)).toBe(false)
    expect(verifyTwilio({ ...status, fields: status.fields.slice(1) }, header, key)).toBe(false)
    expect(verifyTwilio(status, header, 'another')).toBe(false)
  })

  it('refuses a request without proof, and every request while there is no key', () => {
    expect(verifyTwilio({ ...status, headers: {} }, header, key)).toBe(false)
    expect(verifyTwilio(status, header, null)).toBe(false)
  })
})

describe('verifyBasic', () => {
  const asked = (authorization?: string) => request({ headers: { authorization } })
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  it('accepts the user and the password, colons in the password and all', () => {
    expect(verifyBasic(asked(basic('sinch:pass:wörd')), 'sinch', 'pass:wörd')).toBe(true)
    expect(verifyBasic(asked(basic('sinch:pass').replace('Basic', 'basic')), 'sinch', 'pass')).toBe(true)
  })

  it.each([undefined, '', 'Basic', 'Basic !!!', 'Bearer abc', basic('sinch:pas'), basic('sinch'), basic('Sinch:pass')])(
    'refuses %s',
    (authorization) => {
      expect(verifyBasic(asked(authorization), 'sinch', 'pass')).toBe(false)
    },
  )

  it('refuses everybody while no user or no password is set', () => {
    expect(verifyBasic(asked(basic('sinch:')), 'sinch', '')).toBe(false)
    expect(verifyBasic(asked(basic(':pass')), '', 'pass')).toBe(false)
    expect(verifyBasic(asked(basic('sinch:null')), 'sinch', null)).toBe(false)
  })
})

describe('verifySecret', () => {
  const asked = (secret?: string) => request({ headers: { 'x-internal-secret': secret } })

  it('accepts the secret and nothing else', () => {
    expect(verifySecret(asked('s3cret'), 'X-Internal-Secret', 's3cret')).toBe(true)
    expect(verifySecret(asked('s3cret '), 'X-Internal-Secret', 's3cret')).toBe(false)
    expect(verifySecret(asked('s3cre'), 'X-Internal-Secret', 's3cret')).toBe(false)
  })

  it('refuses a request without it, and every request while none is set', () => {
    expect(verifySecret(asked(), 'X-Internal-Secret', 's3cret')).toBe(false)
    expect(verifySecret(asked(''), 'X-Internal-Secret', '')).toBe(false)
    expect(verifySecret(asked('null'), 'X-Internal-Secret', null)).toBe(false)
  })
})
