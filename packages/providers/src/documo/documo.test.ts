import { readFileSync } from 'node:fs'
import { basicAuthorization, type WebhookRequest } from '@faxdeck/provider-kit'
import { describeProvider, faultyFetch, type WebhookFixture } from '@faxdeck/provider-kit/conformance'
import { madeHost } from '@faxdeck/provider-kit/testing/made-host'
import { describe, expect, it } from 'vitest'
import { emulate } from './emulator.ts'
import { documo } from './index.ts'
import { openDocumo } from './send.ts'

const path = '/documo-callback'
const also = { documo_webhook_user: 'user', documo_webhook_password: 'pass' }
const [webhook] = documo.webhooks
const settings = { ...Object.fromEntries(documo.settings.map((row) => [row.key, row.default])), ...also }
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n')

const read = (file: string) => readFileSync(`${import.meta.dirname}/fixtures/${file}.json`, 'utf8')
const arrived = (body: string, change: Partial<WebhookRequest> = {}): WebhookRequest => ({
  method: 'POST',
  url: `https://fax.example.test${path}`,
  headers: { authorization: basicAuthorization('user', 'pass'), 'content-type': 'application/json' },
  query: {},
  body: Buffer.from(body),
  fields: [],
  files: [],
  ...change,
})
/** The older webhooks are forms, with the document beside the JSON. */
const legacy = (body: string) =>
  arrived('', {
    fields: [['data', body]],
    files: [{ name: 'attachment', fileName: 'fax.pdf', contentType: 'application/pdf', bytes: pdf }],
  })
const fixture = (name: string, request: WebhookRequest): WebhookFixture => ({ name, path, proves: 'itself', request })

describeProvider(documo, {
  settings: { documo_api_key: 'k' },
  also,
  fixtures: [
    fixture('delivered', arrived(read('outbound-complete'))),
    fixture('received', arrived(read('inbound-succeed'))),
    fixture('received, legacy', legacy(read('legacy-inbound'))),
  ],
  notice: (status) => {
    const body = JSON.stringify({ event: 'fax.v1.inbound.complete', data: { messageId: 'm', status } })
    return { path, request: arrived(body) }
  },
  sending: { lineWith: (fault, values) => openDocumo(madeHost({ fetch: faultyFetch(fault) }), values) },
  finding: { emulate, provesAbsence: false },
})

describe('the webhook of Documo', () => {
  const translated = (request: WebhookRequest) => webhook?.translate(request, settings)
  const outbound = (change: object) =>
    translated(arrived(JSON.stringify({ event: 'fax.v1.outbound.complete', data: { messageId: 'm', ...change } })))

  it('reports a fax by our reference too, since it may come before the answer that names the id', () => {
    const subject = 'f'.repeat(32)
    expect(outbound({ status: 'success', subject })?.updates).toMatchObject([{ attemptId: subject, providerId: 'm' }])
    expect(outbound({ status: 'success', subject: 'Results' })?.updates?.[0]).not.toHaveProperty('attemptId')
  })

  it('reports a delivered fax by the id of Documo', () => {
    expect(translated(arrived(read('outbound-complete')))?.updates).toEqual([
      {
        providerId: '44444444-4444-4444-8444-444444444444',
        to: '+15550100002',
        state: 'delivered',
        word: 'success',
        pagesConfirmed: 2,
      },
    ])
  })

  it.each([
    [{ resultCode: '6100' }, 'busy'],
    [{ resultCode: '6000' }, 'line_error'],
    [{ resultCode: 6100, pagesComplete: 1 }, 'partial'],
    [{ resultCode: '5100' }, 'rejected'],
    [{ resultCode: '5200' }, 'bad_document'],
    [{ resultCode: '7001' }, 'partial'],
    [{}, 'partial'],
  ])('reports a failure with %j as %s', (change, kind) => {
    const update = outbound({ status: 'failed', resultInfo: 'Because', ...change })?.updates?.[0]
    expect(update).toMatchObject({ state: 'failed', kind, word: 'failed' })
    expect(update?.sentence).toMatch(/Because\.$/)
  })

  it('reports busy and unconnected lines by the codes that are set', () => {
    const body = JSON.stringify({ event: 'fax.outbound', messageId: 'm', status: 'failed', resultCode: '6199' })
    const outcome = webhook?.translate(arrived(body), { ...settings, documo_busy_codes: '6100, 6199' })
    expect(outcome?.updates).toMatchObject([{ kind: 'busy' }])
  })

  it.each(['processing', 'transmitting', 'scheduled', 'warming up', 'successful', ''])(
    'takes the word "%s" for no success',
    (status) => {
      expect(outbound({ status })?.updates?.[0]?.state).toMatch(/^(queued|in_progress)$/)
    },
  )

  it('announces a received fax that is to be downloaded', () => {
    expect(translated(arrived(read('inbound-succeed')))?.incoming).toMatchObject([
      {
        providerId: '77777777-7777-4777-8777-777777777777',
        from: '+15550100009',
        to: '+15550100001',
        pages: 3,
        state: 'received',
        document: { fetch: '77777777-7777-4777-8777-777777777777' },
      },
    ])
  })

  it('takes a document that comes along, as a file or as base64, and keeps it out of the evidence', () => {
    const [file] = translated(legacy(read('legacy-inbound')))?.incoming ?? []
    expect(file?.document).toEqual({ bytes: pdf })
    const long = Buffer.concat([pdf, Buffer.alloc(3000, ' ')])
    const body = JSON.stringify({ ...JSON.parse(read('inbound-succeed')), attachment: long.toString('base64') })
    const [inline] = translated(arrived(body))?.incoming ?? []
    expect(inline?.document).toEqual({ bytes: long })
    expect(inline?.notification?.length).toBeLessThan(1000)
  })

  it('keeps a failed reception, and says nothing before the end', () => {
    const inbound = (change: object) =>
      translated(arrived(JSON.stringify({ event: 'fax.v1.inbound.complete', data: { messageId: 'm', ...change } })))
    expect(inbound({ status: 'failed' })?.incoming).toMatchObject([{ state: 'failed', document: null }])
    expect(inbound({ status: 'failed', pagesComplete: 1 })?.incoming).toMatchObject([{ document: { fetch: 'm' } }])
    expect(inbound({ status: 'transmitting' })?.incoming).toEqual([])
  })

  it('about numbers means nothing to faxes; what cannot be understood is refused', () => {
    expect(translated(arrived('{"event":"fax.v1.number.add","data":{"number":"1"}}'))).toEqual({})
    expect(() => translated(arrived('{"event":"fax.v1.inbound.complete"}'))).toThrow('names no fax')
    expect(() => translated(arrived('{"messageId":"m"}'))).toThrow('went out or came in')
    expect(() => translated(arrived('no'))).toThrow('no JSON')
  })
})
