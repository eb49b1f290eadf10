import { describeProvider, faultyFetch } from '@faxdeck/provider-kit/conformance'
import { cloudHost } from '@faxdeck/provider-kit/testing/cloud-host'
import { readFixture } from '@faxdeck/provider-kit/testing/read-fixture'
import { describe, expect, it } from 'vitest'
import { phaxio } from './index.ts'
import { openPhaxio } from './send.ts'

const fixture = (name: string) => readFixture(new URL(`./fixtures/${name}.http`, import.meta.url))
const signed = { phaxio_callback_token: 'phx-callback-token' }
const settings = { ...Object.fromEntries(phaxio.settings.map((row) => [row.key, row.default])), ...signed }
const [status, inbound] = phaxio.webhooks
const attemptId = '1'.repeat(32)

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
  sending: { lineWith: (fault, given) => openPhaxio(cloudHost({ fetch: faultyFetch(fault) }), given) },
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
  })
})
