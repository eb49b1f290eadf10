import { describeProvider, faultyFetch } from '@faxdeck/provider-kit/conformance'
import { madeHost } from '@faxdeck/provider-kit/testing/made-host'
import { readFixture } from '@faxdeck/provider-kit/testing/read-fixture'
import { describe, expect, it } from 'vitest'
import { emulate } from './emulator.ts'
import { sinch } from './index.ts'
import { openSinch } from './send.ts'

const fixture = (name: string) => readFixture(new URL(`./fixtures/${name}.http`, import.meta.url))
const webhook = { sinch_inbound_basic_pass: 'webhook-password' }
const settings = { ...Object.fromEntries(sinch.settings.map((row) => [row.key, row.default])), ...webhook }
const [inbound, status] = sinch.webhooks
const attemptId = '1'.repeat(32)
const proven = (name: string, path: string) => ({ name, path, proves: 'itself', request: fixture(name) }) as const
const reported = (body: object) => ({ ...fixture('received'), body: Buffer.from(JSON.stringify(body)) })

describeProvider(sinch, {
  settings: { sinch_project_id: 'p', sinch_api_key: 'k', sinch_api_secret: 's' },
  also: webhook,
  fixtures: [
    ...['sent', 'busy', 'sent-form'].map((name) => proven(name, '/sinch-callback')),
    ...['received', 'received-form', 'received-older'].map((name) => proven(name, '/sinch-inbound')),
  ],
  notice: (word) => ({
    path: '/sinch-inbound',
    request: reported({ event: 'INCOMING_FAX', fax: { id: '01J', direction: 'INBOUND', status: word } }),
  }),
  sending: { lineWith: (fault, given) => openSinch(madeHost({ fetch: faultyFetch(fault) }), given) },
  finding: { emulate, provesAbsence: true },
})

describe('a notification of Sinch', () => {
  it.each([
    ['sent', { state: 'delivered', pagesConfirmed: 2, word: 'COMPLETED' }],
    ['sent-form', { state: 'delivered', pagesConfirmed: 2 }],
    [
      'busy',
      {
        state: 'failed',
        kind: 'busy',
        pagesConfirmed: 0,
        sentence: 'The line was busy. Sinch says: Far end was busy.',
      },
    ],
  ])('%s becomes our word', (name, update) => {
    const { updates } = status?.translate(fixture(name), settings) ?? {}
    expect(updates).toMatchObject([{ providerId: '01JEXAMPLE000000000000001', attemptId, ...update }])
  })

  it.each(['received', 'received-form', 'received-older'])('%s hands over a fax with its document', (name) => {
    const { incoming = [] } = inbound?.translate(fixture(name), settings) ?? {}
    expect(incoming).toMatchObject([
      {
        providerId: '01JEXAMPLE000000000000002',
        from: '+15551234567',
        to: '+15557654321',
        pages: 1,
        state: 'received',
      },
    ])
    const document = incoming[0]?.document as { bytes: Uint8Array }
    expect(Buffer.from(document.bytes).toString()).toBe('%PDF-1.4\n%%EOF\n')
    expect(incoming[0]?.notification).toContain('01JEXAMPLE000000000000002')
    expect(incoming[0]?.notification).not.toContain('JVBERi')
  })

  const fax = { id: '01J', direction: 'INBOUND', status: 'COMPLETED' }

  it('announces a document that did not come along, and never follows an address it names', () => {
    const named = {
      event: 'INCOMING_FAX',
      file_url: 'http://evil.example/',
      fax: { ...fax, contentUrl: ['http://evil.example/'] },
    }
    expect(inbound?.translate(reported(named), settings).incoming?.[0]?.document).toEqual({ fetch: '01J' })
    const broken = { ...fax, status: 'FAILURE', errorMessage: 'The call dropped' }
    expect(inbound?.translate(reported({ event: 'INCOMING_FAX', fax: broken }), settings).incoming).toMatchObject([
      { state: 'failed', document: null, sentence: expect.stringContaining('The call dropped.') as unknown },
    ])
  })

  it.each([true, 'true'])('fetches the pages of a fax that broke off, where Sinch kept some: %j', (hasFile) => {
    const broken = { ...fax, status: 'FAILURE', hasFile }
    expect(inbound?.translate(reported({ event: 'INCOMING_FAX', fax: broken }), settings).incoming).toMatchObject([
      { state: 'failed', document: { fetch: '01J' } },
    ])
  })

  it('about a fax that is still coming in means nothing yet, unless its document is there', () => {
    const underWay = { event: 'INCOMING_FAX', fax: { ...fax, status: 'IN_PROGRESS' } }
    expect(inbound?.translate(reported(underWay), settings)).toEqual({})
    expect(inbound?.translate(reported({ ...underWay, file: 'JVBERi0xLjQK' }), settings).incoming).toMatchObject([
      { state: 'unclear', document: { bytes: Buffer.from('%PDF-1.4\n') } },
    ])
  })

  it.each([
    { event: 'INCOMING_FAX_V2', fax: { id: '01J', status: 'COMPLETED' } },
    { fax: { id: '01J', direction: 'inbound', status: 'COMPLETED' } },
    { fax: { id: '01J', status: 'COMPLETED' } },
  ])('at the address for received faxes is about one, unless it says otherwise: %j', (body) => {
    expect(inbound?.translate(reported(body), settings).incoming).toMatchObject([
      { providerId: '01J', state: 'received' },
    ])
    const sent = { ...body, event: 'FAX_COMPLETED', fax: { ...body.fax, direction: 'OUTBOUND' } }
    expect(inbound?.translate(reported(sent), settings).updates).toMatchObject([
      { providerId: '01J', state: 'delivered' },
    ])
  })

  it.each([{}, { fax: null }, { fax: { id: '' } }, { fax: { id: '../faxes' } }, { fax: { id: 7 } }])(
    'without a fax is refused: %j',
    (body) => {
      expect(() => inbound?.translate(reported(body), settings)).toThrow('names no fax')
    },
  )

  it('that is neither JSON nor a form is refused', () => {
    expect(() => inbound?.translate({ ...fixture('received'), body: Buffer.from('hello') }, settings)).toThrow(
      'neither',
    )
  })

  it.each(['Completed', 'completed', 'SUCCESS', 'NEGOTIATING', ''])('with the word "%s" is progress', (word) => {
    const body = reported({ event: 'FAX_COMPLETED', fax: { ...fax, direction: 'OUTBOUND', status: word } })
    expect(status?.translate(body, settings).updates).toMatchObject([{ state: 'in_progress', word }])
  })

  it('is refused from everybody while no password is set', () => {
    expect(status?.verify(fixture('sent'), { ...settings, sinch_inbound_basic_pass: null })).toBe(false)
  })
})
