import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describeProvider, faultyFetch, type WebhookFixture } from '@faxdeck/provider-kit/conformance'
import { formRequest, madeHost } from '@faxdeck/provider-kit/testing/made-host'
import { describe, expect, it } from 'vitest'
import { emulate } from './emulator.ts'
import { signalwire } from './index.ts'
import { openSignalwire } from './send.ts'

const path = '/signalwire-callback'
const address = `https://fax.example.test${path}`
const key = 'sw-signing-key'

function sign(url: string, form: string): string {
  const fields = [...new URLSearchParams(form)].sort(([a], [b]) => (a < b ? -1 : 1))
  return createHmac('sha1', key)
    .update([url, ...fields.flat()].join(''))
    .digest('base64')
}

/** A request of SignalWire as it is kept in fixtures/, signed for the address it is sent to. */
function fixture(file: string, query: string): WebhookFixture {
  const form = readFileSync(`${import.meta.dirname}/fixtures/${file}.form`, 'utf8')
  const request = formRequest(address + query, form, { 'x-signalwire-signature': sign(address + query, form) })
  return { name: file, path, proves: 'content', request }
}

const needed = {
  signalwire_space_url: 'example.signalwire.com',
  signalwire_project_id: 'p',
  signalwire_api_token: 't',
  signalwire_fax_from_e164: '+15551234567',
}
const [delivered, failed, call, received] = [
  fixture('delivered', '?attempt=a1'),
  fixture('failed', '?attempt=a1'),
  fixture('call', ''),
  fixture('received', '?received=1'),
]
const settings = { ...needed, signalwire_webhook_signing_key: key }
const [webhook] = signalwire.webhooks

describeProvider(signalwire, {
  settings: needed,
  also: { signalwire_webhook_signing_key: key },
  fixtures: [delivered, failed, call, received],
  notice: (word) => {
    const form = new URLSearchParams({ FaxSid: 'f1', MediaUrl: 'https://files.signalwire.com/f1.pdf' })
    if (word !== undefined) form.set('FaxStatus', word)
    const url = `${address}?received=1`
    const headers = { 'x-signalwire-signature': sign(url, form.toString()) }
    return { path, request: formRequest(url, form.toString(), headers) }
  },
  sending: { lineWith: (fault, values) => openSignalwire(madeHost({ fetch: faultyFetch(fault) }), values) },
  finding: { emulate, provesAbsence: false },
})

describe('the callback of SignalWire', () => {
  const translated = ({ request }: WebhookFixture, change: Record<string, string> = {}) => {
    const form = new URLSearchParams(Buffer.from(request.body).toString())
    for (const [field, value] of Object.entries(change)) form.set(field, value)
    return webhook?.translate(formRequest(request.url, form.toString()), settings)
  }

  it('reports a delivered fax by its attempt', () => {
    expect(translated(delivered)).toMatchObject({
      updates: [
        {
          attemptId: 'a1',
          providerId: '33333333-3333-4333-8333-333333333333',
          state: 'delivered',
          word: 'delivered',
          pagesConfirmed: 2,
        },
      ],
    })
  })

  it.each([
    ['busy', '', 'busy'],
    ['no-answer', '', 'no_answer'],
    ['canceled', '', 'cancelled'],
    ['failed', 'Connection Failed (user busy)', 'line_error'],
    ['failed', 'Timed out waiting for initial communication', 'line_error'],
    ['failed', 'Document loading error', 'line_error'],
    ['failed', 'Document generation error', 'bad_document'],
    ['failed', 'Far end cannot receive at the resolution of the image', 'rejected'],
    ['failed', 'Far end is not compatible', 'rejected'],
    ['failed', 'No response after sending a page', 'partial'],
    ['failed', '', 'partial'],
  ])('reports %s "%s" as %s', (FaxStatus, ErrorMessage, kind) => {
    const update = translated(failed, { FaxStatus, ErrorMessage })?.updates?.[0]
    expect(update).toMatchObject({ state: 'failed', kind, word: FaxStatus })
    expect(update?.sentence).toContain(ErrorMessage)
    expect(update).not.toHaveProperty('pagesConfirmed')
  })

  it.each(['processing', 'sending', 'received', 'handshaking', 'Delivered', 'success'])(
    'takes the word %s for no success',
    (FaxStatus) => {
      expect(translated(delivered, { FaxStatus })?.updates).toMatchObject([{ state: 'in_progress', word: FaxStatus }])
    },
  )

  it('takes a call by naming this address, and refuses it while receiving is off', () => {
    const outcome = translated(call)
    expect(outcome?.answer).toEqual({
      status: 200,
      contentType: 'text/xml',
      body: `<?xml version="1.0" encoding="UTF-8"?><Response><Receive action="${address}?received=1" method="POST" mediaType="application/pdf"/></Response>`,
    })
    expect(outcome?.answerWhenOff?.body).toContain('<Reject/>')
    expect([outcome?.updates, outcome?.incoming]).toEqual([undefined, undefined])
  })

  it('announces a received fax with the place of its document', () => {
    expect(translated(received)?.incoming).toMatchObject([
      {
        providerId: '66666666-6666-4666-8666-666666666666',
        from: '+15550100009',
        to: '+15550100001',
        pages: 3,
        state: 'received',
        document: { fetch: 'https://files.signalwire.com/11111111-1111-4111-8111-111111111111/faxes/6.pdf' },
        notification: expect.stringContaining('FaxSid=66666666') as unknown,
      },
    ])
  })

  it.each(['Direction=inbound&', ''])('keeps a received fax that comes without having been asked for (%s)', (said) => {
    const form = `FaxSid=f1&${said}FaxStatus=received&MediaUrl=https%3A%2F%2Ffiles.signalwire.com%2Ff1.pdf`
    expect(webhook?.translate(formRequest(address, form), settings).incoming).toMatchObject([
      { providerId: 'f1', state: 'received', document: { fetch: 'https://files.signalwire.com/f1.pdf' } },
    ])
  })

  it('keeps what came of a fax that broke off, and says nothing before the end', () => {
    expect(
      translated(received, { FaxStatus: 'failed', MediaUrl: '', ErrorMessage: 'Carrier lost' })?.incoming,
    ).toMatchObject([
      { state: 'failed', document: null, sentence: expect.stringContaining('Carrier lost.') as unknown },
    ])
    expect(translated(received, { FaxStatus: 'receiving' })?.incoming).toEqual([])
  })

  it('that names no fax is not understood', () => {
    expect(() => webhook?.translate(formRequest(address, 'FaxStatus=delivered'), settings)).toThrow('names no fax')
  })

  it('that names an attempt of ours is about it, whatever direction it claims', () => {
    const form = 'FaxSid=f1&Direction=inbound&FaxStatus=delivered'
    const outcome = webhook?.translate(formRequest(`${address}?attempt=a1`, form), settings)
    expect(outcome).toMatchObject({ updates: [{ providerId: 'f1', attemptId: 'a1', state: 'delivered' }] })
    expect(outcome?.incoming).toBeUndefined()
  })

  it('is believed at a status callback URL with a query of its own', () => {
    const form = Buffer.from(delivered.request.body).toString()
    const search = '?site=7&attempt=a1'
    const signature = sign(`https://hooks.example.org/sw${search}`, form)
    const request = formRequest(`${address}${search}`, form, { 'x-signalwire-signature': signature })
    const own = 'https://hooks.example.org/sw?site=7'
    expect(webhook?.verify(request, { ...settings, signalwire_status_callback_url: own })).toBe(true)
  })

  it('is also believed at the status callback URL that is set', () => {
    const own = 'https://hooks.example.org/sw'
    const form = Buffer.from(delivered.request.body).toString()
    const request = formRequest(`${address}?attempt=a1`, form, {
      'x-signalwire-signature': sign(`${own}?attempt=a1`, form),
    })
    expect(webhook?.verify(request, settings)).toBe(false)
    expect(webhook?.verify(request, { ...settings, signalwire_status_callback_url: own })).toBe(true)
  })

  it('is believed from nobody while there is no signing key', () => {
    expect(webhook?.verify(delivered.request, needed)).toBe(false)
  })
})
