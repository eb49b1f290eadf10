import { createHmac } from 'node:crypto'
import type { WebhookRequest } from '@faxdeck/provider-kit'
import { describeProvider, faultyFetch } from '@faxdeck/provider-kit/conformance'
import { madeHost } from '@faxdeck/provider-kit/testing/made-host'
import { readFixture } from '@faxdeck/provider-kit/testing/read-fixture'
import { describe, expect, it } from 'vitest'
import { emulate } from './emulator.ts'
import { phaxio } from './index.ts'
import { openPhaxio } from './send.ts'

const fixture = (name: string) => readFixture(new URL(`./fixtures/${name}.http`, import.meta.url))
const signed = { phaxio_callback_token: 'phx-callback-token' }
const settings = { ...Object.fromEntries(phaxio.settings.map((row) => [row.key, row.default])), ...signed }
const [status, inbound] = phaxio.webhooks
const attemptId = '1'.repeat(32)
/** A notice of a received fax with these fields, signed. */
function notice(fields: WebhookRequest['fields']): WebhookRequest {
  const url = 'https://fax.example.test/phaxio-inbound'
  const signed = [url, ...fields.toSorted(([a], [b]) => (a < b ? -1 : 1)).flat()].join('')
  const signature = createHmac('sha1', 'phx-callback-token').update(signed).digest('hex')
  return { ...fixture('received'), url, headers: { 'x-phaxio-signature': signature }, fields, files: [] }
}
const faxWith = (status: string | undefined) => JSON.stringify({ id: 43, direction: 'received', status })

describeProvider(phaxio, {
  settings: { phaxio_api_key: 'k', phaxio_api_secret: 's' },
  also: signed,
  fixtures: [
    { name: 'delivered', path: '/phaxio-callback', proves: 'content', request: fixture('sent') },
    { name: 'busy', path: '/phaxio-callback', proves: 'content', request: fixture('busy') },
    { name: 'a page under way', path: '/phaxio-callback', proves: 'content', request: fixture('page') },
    {
      name: 'spread fields of an older account',
      path: '/phaxio-callback',
      proves: 'content',
      request: fixture('spread'),
    },
    { name: 'received', path: '/phaxio-inbound', proves: 'content', request: fixture('received') },
  ],
  notice: (word) => ({
    path: '/phaxio-inbound',
    request: notice([
      ['direction', 'received'],
      ['fax', faxWith(word)],
    ]),
  }),
  sending: { lineWith: (fault, given) => openPhaxio(madeHost({ fetch: faultyFetch(fault) }), given) },
  finding: { emulate, provesAbsence: true },
})

describe('a callback of Phaxio', () => {
  const meaning = (name: string) => status?.translate(fixture(name), settings)

  it.each([
    ['sent', { state: 'delivered', pagesConfirmed: 2, word: 'success' }],
    ['busy', { state: 'failed', kind: 'busy', sentence: 'The line was busy. Phaxio says: Far end was busy.' }],
    ['page', { state: 'in_progress', word: 'inprogress' }],
    ['spread', { state: 'delivered', pagesConfirmed: 2 }],
  ])('%s becomes our word', (name, update) => {
    expect(meaning(name)?.updates).toMatchObject([{ providerId: '900001', attemptId, ...update }])
  })

  it('about a test says so, wherever it stands, and else that it was none', () => {
    const about = (fax: object, flags: WebhookRequest['fields'] = []) => {
      const fields = [['fax', JSON.stringify({ id: 1, status: 'success', ...fax })], ...flags] as const
      return status?.translate({ ...fixture('sent'), fields }, settings).updates?.[0]?.isTest
    }
    expect(about({ is_test: true })).toBe(true)
    expect(about({ is_test: false }, [['is_test', 'true']])).toBe(true)
    expect(about({ is_test: false }, [['is_test', 'false']])).toBe(false)
    expect(about({ is_test: true }, [['event_type', 'transmitting_page']])).toBe(true)
    expect(about({})).toBeUndefined()
  })

  it('that calls a success a failure leaves the outcome unknown, sent or received', () => {
    const contradicting = (direction: string) =>
      [
        ['direction', direction],
        ['success', 'false'],
        ['fax', JSON.stringify({ id: 1, direction, status: 'success' })],
      ] as const
    const { updates } = status?.translate({ ...fixture('sent'), fields: contradicting('sent') }, settings) ?? {}
    expect(updates).toMatchObject([{ state: 'failed', kind: 'uncertain', word: 'success' }])
    const received = inbound?.translate({ ...fixture('received'), fields: contradicting('received') }, settings)
    expect(received?.incoming).toMatchObject([{ state: 'unclear' }])
  })

  it('hands over a received fax with its document and the notification without it', () => {
    const { incoming = [] } = inbound?.translate(fixture('received'), settings) ?? {}
    expect(incoming).toMatchObject([
      { providerId: '900002', from: '+15551234567', to: '+15557654321', pages: 1, state: 'received', isTest: false },
    ])
    expect(incoming[0]?.receivedAt?.toISOString()).toBe('2026-01-02T15:01:09.000Z')
    expect(incoming[0]?.notification).toContain('900002')
    expect(incoming[0]?.document).toEqual({ bytes: Buffer.from('%PDF-1.4\n%%EOF\n') })
  })

  it('announces a document that did not come along, by its id alone', () => {
    const without = { ...fixture('received'), files: [] }
    expect(inbound?.translate(without, settings).incoming?.[0]?.document).toEqual({ fetch: '900002' })
  })

  it.each([
    ['fax[id]', 'fax[status]', 'fax[from]'],
    ['id', 'status', 'from_number'],
  ])(
    'of an older account in the fields %s is a received fax at the address for them, though it names no direction',
    (id, status) => {
      const older = notice([
        [id, '44'],
        [status, 'success'],
      ])
      expect(inbound?.verify(older, settings)).toBe(true)
      expect(inbound?.translate(older, settings).incoming).toMatchObject([
        { providerId: '44', state: 'received', document: { fetch: '44' } },
      ])
    },
  )

  it.each(['Received', 'inbound', ''])(
    'with the direction "%s" is about a received fax at the address for them',
    (direction) => {
      const other = notice([['fax', JSON.stringify({ id: 45, direction, status: 'success' })]])
      expect(inbound?.translate(other, settings).incoming).toMatchObject([{ providerId: '45', state: 'received' }])
    },
  )

  it('without a direction is about a fax of ours where it names the attempt', () => {
    const ours = { ...fixture('sent'), fields: [['fax', '{"id":1,"status":"success"}']] as const }
    expect(inbound?.translate(ours, settings).updates).toMatchObject([
      { providerId: '1', state: 'delivered', attemptId },
    ])
  })

  it.each(['', 'no JSON', '{}', '{"id":"../../secret"}', '{"id":-1}', '[]', 'null'])(
    'without a fax is refused: %s',
    (fax) => {
      const broken = { ...fixture('sent'), fields: [['fax', fax]] as const }
      expect(() => status?.translate(broken, settings)).toThrow('names no fax')
    },
  )

  it('with an unknown word is progress, however it is spelled', () => {
    const word = (status: string) => {
      const fields = [['fax', JSON.stringify({ id: 1, status })]] as const
      return phaxio.webhooks[0]?.translate({ ...fixture('sent'), fields }, settings).updates?.[0]
    }
    for (const each of ['Success', 'succeeded', 'SUCCESS', '', 'ringing']) {
      expect(word(each)).toMatchObject({ state: 'in_progress', word: each })
    }
  })

  it('that part of the pages went out is a failure', () => {
    const fields = [['fax', JSON.stringify({ id: 1, status: 'partialsuccess', error_type: 'lineError' })]] as const
    const updates = status?.translate({ ...fixture('sent'), fields }, settings).updates
    expect(updates).toMatchObject([{ providerId: '1', state: 'failed', word: 'partialsuccess' }])
  })

  it.each(['transmitting_page', 'retry_scheduled'])(
    'of the kind %s ends nothing, whatever state it names: Phaxio is still at work',
    (kind) => {
      for (const state of ['failure', 'partialsuccess', 'success']) {
        const fields = [
          ['fax', JSON.stringify({ id: 1, direction: 'sent', status: state, error_type: 'lineError' })],
          ['event_type', kind],
        ] as const
        const updates = status?.translate({ ...fixture('sent'), fields }, settings).updates
        expect(updates).toEqual([{ providerId: '1', attemptId, word: state, state: 'in_progress' }])
      }
    },
  )

  it('is checked against the address that was registered, when the account has one of its own', () => {
    const own = { ...settings, phaxio_status_callback_url: 'https://fax.example.test/phaxio-callback' }
    const behindProxy = {
      ...fixture('sent'),
      url: fixture('sent').url.replace('fax.example.test', 'inside.example.test'),
    }
    expect(status?.verify(behindProxy, settings)).toBe(false)
    expect(status?.verify(behindProxy, own)).toBe(true)
    expect(status?.verify({ ...behindProxy, query: { attempt: '2'.repeat(32) } }, own)).toBe(false)
  })

  it('is believed without proof only where a person switched that off, each for itself', () => {
    const bare = (name: string) => ({ ...fixture(name), headers: {} })
    const off = { ...settings, phaxio_verify_signature: false }
    expect([status?.verify(bare('sent'), off), inbound?.verify(bare('received'), off)]).toEqual([true, false])
    const notSaid = { phaxio_callback_token: settings.phaxio_callback_token }
    expect([status?.verify(bare('sent'), notSaid), inbound?.verify(bare('received'), notSaid)]).toEqual([false, false])
    const account = { ...off, phaxio_api_key: 'k' }
    expect(status?.proveHead(bare('sent'), account)).toBe('pending')
    expect([status?.proveHead(bare('sent'), off), inbound?.proveHead(bare('received'), account)]).toEqual([
      'none',
      'none',
    ])
  })
})
