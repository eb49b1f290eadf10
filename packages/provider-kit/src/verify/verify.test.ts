import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { byName } from './signatures.ts'
import type { WebhookRequest } from '../provider.ts'
import { verifyBasic } from './verify-secret.ts'
import { verifyPhaxio } from './verify-phaxio.ts'
import { formRequest } from '../testing/made-host.ts'
import { verifySecret } from './verify-secret.ts'
import { verifySignalwire } from './verify-signalwire.ts'
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

  it('does not take a signature under an empty token, which anybody can make, for proof', () => {
    const content = byName(sentFields).flat().join('')
    const forged = createHmac('sha1', '').update(`${url}${content}`).digest('hex')
    expect(verifyPhaxio({ ...sent, headers: signed(forged) }, '')).toBe(false)
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

  it.each(['https', 'http'])('accepts what was signed with or without the port of a URL of %s', (scheme) => {
    const [bare, usual] = [`${scheme}://fax.example.test/s?job=7`, scheme === 'https' ? ':443' : ':80']
    const at = (port: string) => bare.replace('.test', `.test${port}`)
    const signed = (as: string, asked: string) => {
      const proof = createHmac('sha1', key).update(as).digest('base64')
      return verifyTwilio(request({ url: asked, headers: { 'x-signalwire-signature': proof } }), header, key)
    }
    for (const port of ['', usual, ':8443']) {
      expect(signed(bare, at(port))).toBe(true)
      expect(signed(at(port), at(port))).toBe(true)
    }
    expect(signed(at(usual), bare)).toBe(true)
    // A port that the address does not name was signed for somebody else.
    expect(signed(at(':8443'), bare)).toBe(false)
    expect(signed(at(':8444'), at(':8443'))).toBe(false)
    expect(signed(at(usual), at(':8443'))).toBe(false)
    expect(signed(bare.replace('fax.', 'www.'), at(':8443'))).toBe(false)
    expect(signed(bare.replace(/^https?/, scheme === 'https' ? 'http' : 'https'), bare)).toBe(false)
  })

  it('refuses another query, another field and another key', () => {
    expect(verifyTwilio({ ...status, url: status.url.replace('job=7', 'job=8') }, header, key)).toBe(false)
    expect(verifyTwilio({ ...status, fields: status.fields.slice(1) }, header, key)).toBe(false)
    expect(verifyTwilio(status, header, 'another')).toBe(false)
  })

  it('refuses a request without proof, and every request while there is no key', () => {
    expect(verifyTwilio({ ...status, headers: {} }, header, key)).toBe(false)
    expect(verifyTwilio(status, header, null)).toBe(false)
  })

  it('does not take a signature under an empty key, which anybody can make, for proof', () => {
    const forged = createHmac('sha1', '').update('https://fax.example.test/').digest('base64')
    const bare = request({ headers: { 'x-signalwire-signature': forged } })
    expect(verifyTwilio(bare, header, '')).toBe(false)
    expect(verifySignalwire(bare, '')).toBe(false)
  })
})

describe('verifySignalwire', () => {
  const url = 'https://fax.example.test/webhooks/signalwire?job=7'
  const form = 'AccountSid=p1&FaxSid=f1&FaxStatus=delivered&From=%2B15551230000&NumPages=2&To=%2B15551230001'
  const signature = '7NTUKCvHu0xWG+dtBy3eo3hLvUw='
  const key = 'sw-signing-key'
  const json = (headers: WebhookRequest['headers'], body = '{"a":1}') =>
    request({ url, body: Buffer.from(body), headers: { 'content-type': 'application/json', ...headers } })
  const sha1 = 'f49817bd39f0c3ebacca270082eac9d6c94240d9'
  const sha256 = '13fa212d6dc3bde7a803b411f8ca3d67c9c4c1ec386544571114cf9e283e3cf2'

  it.each(['x-signalwire-signature', 'x-twilio-signature'])('accepts the known signature of a form in %s', (header) => {
    expect(verifySignalwire(formRequest(url, form, { [header]: signature }), key)).toBe(true)
  })

  it('accepts the known signatures of a whole body', () => {
    expect(verifySignalwire(json({ 'x-signalwire-signature': sha1 }), key)).toBe(true)
    expect(verifySignalwire(json({ 'x-signalwire-sha256-signature': sha256 }), key)).toBe(true)
  })

  it('refuses another body, another key, and a signature in the wrong header', () => {
    expect(verifySignalwire(json({ 'x-signalwire-signature': sha1 }, '{"a":2}'), key)).toBe(false)
    expect(verifySignalwire(json({ 'x-signalwire-signature': sha256 }), key)).toBe(false)
    expect(verifySignalwire(formRequest(url, form, { 'x-signalwire-signature': signature }), 'another')).toBe(false)
    expect(verifySignalwire(formRequest(url, form), key)).toBe(false)
    expect(verifySignalwire(formRequest(url, form, { 'x-signalwire-signature': signature }), null)).toBe(false)
  })

  it('does not take the signature of an address for one of any body', () => {
    const ofUrl = (address: string) => createHmac('sha1', key).update(address).digest('base64')
    expect(verifySignalwire(json({ 'x-signalwire-signature': ofUrl(url) }), key)).toBe(false)
    const hash = createHash('sha256').update('{"a":1}').digest('hex')
    const vouched = `${url}&bodySHA256=${hash}`
    const reported = (body: string) => ({
      ...json({ 'x-signalwire-signature': ofUrl(vouched) }, body),
      url: vouched,
      query: { bodySHA256: hash },
    })
    expect(verifySignalwire(reported('{"a":1}'), key)).toBe(true)
    expect(verifySignalwire(reported('{"a":2}'), key)).toBe(false)
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
