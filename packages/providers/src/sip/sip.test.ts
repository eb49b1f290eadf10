import type { Socket } from 'node:net'
import type { WebhookRequest } from '@faxdeck/provider-kit'
import { describeProvider } from '@faxdeck/provider-kit/conformance'
import { throughFaulty } from '@faxdeck/provider-kit/testing/faulty-engine'
import { describe, expect, it } from 'vitest'
import { sip } from './index.ts'
import { openSipLine } from './send.ts'

const secret = 'an-internal-secret'
const notice = {
  tiff_path: '/data/lines/sip/inbox/1.tif',
  to_number: '+15557654321',
  from_number: '+15551234567',
  faxstatus: 'SUCCESS',
  faxpages: '2',
  uniqueid: '1767351600.42',
}

const requestOf = (body: string): WebhookRequest => ({
  method: 'POST',
  url: 'https://fax.example.test/_internal/asterisk/inbound',
  headers: { 'x-internal-secret': secret, 'content-type': 'application/json' },
  query: {},
  body: Buffer.from(body),
  fields: [],
  files: [],
})

const answering =
  (answer: (action: string, socket: Socket) => string) =>
  (message: string, socket: Socket): string => {
    const [, action = '', id = ''] = /^Action: (\w+)\r\nActionID: (\S+)/.exec(message) ?? []
    const text = answer(action, socket)
    return text && `Response: ${text}\r\nActionID: ${id}\r\n\r\n`
  }

const faultyAsterisk = throughFaulty({
  greeting: 'Asterisk Call Manager/11.0.0\r\n',
  blank: '\r\n',
  answers: {
    'a time-out': answering((action) => (action === 'Login' ? 'Success' : '')),
    'bad credentials': answering(() => 'Error\r\nMessage: Authentication failed'),
    'a refusal': answering((action) => (action === 'Login' ? 'Success' : 'Error\r\nMessage: Originate failed')),
    'a fault of the server': answering((action, socket) => {
      if (action === 'Login') return 'Success'
      socket.destroy()
      return ''
    }),
  },
  open: (host, settings, port) => openSipLine(host, { ...settings, ami_port: port }),
})

describeProvider(sip, {
  settings: { ami_host: '127.0.0.1', ami_username: 'api', ami_password: 'p' },
  also: { asterisk_inbound_secret: secret },
  fixtures: [
    {
      name: 'a received fax',
      path: '/_internal/asterisk/inbound',
      request: requestOf(JSON.stringify(notice)),
      proves: 'itself',
    },
  ],
  notice: (faxstatus) => ({
    path: '/_internal/asterisk/inbound',
    request: requestOf(JSON.stringify({ ...notice, faxstatus })),
  }),
  sending: faultyAsterisk,
})

describe('the notice of a received fax', () => {
  const translate = (body: string) => sip.webhooks[0]?.translate(requestOf(body), {})

  it('names the pages, the numbers and how the call ended', () => {
    expect(translate(JSON.stringify(notice))?.incoming).toMatchObject([
      {
        providerId: '1767351600.42',
        from: '+15551234567',
        to: '+15557654321',
        pages: 2,
        state: 'received',
        document: { path: '/data/lines/sip/inbox/1.tif' },
      },
    ])
    const failed = JSON.stringify({ ...notice, faxstatus: 'FAILED', faxpages: 0, from_number: '' })
    expect(translate(failed)?.incoming).toMatchObject([{ state: 'failed', from: null, document: null }])
  })

  it('of the predecessor, which says "received", is of a fax that was received', () => {
    expect(translate(JSON.stringify({ ...notice, faxstatus: 'received' }))?.incoming).toMatchObject([
      { state: 'received', pages: 2, document: { path: notice.tiff_path } },
    ])
  })

  it.each(['', '[]', 'null', '{"uniqueid":', '{"tiff_path":"/x"}', '{"uniqueid":{}}'])('is refused as %j', (body) => {
    expect(() => translate(body)).toThrow('lacks its uniqueid')
  })

  it('is believed from nobody while no secret is set', () => {
    expect(sip.webhooks[0]?.verify(requestOf('{}'), { asterisk_inbound_secret: null })).toBe(false)
  })
})
