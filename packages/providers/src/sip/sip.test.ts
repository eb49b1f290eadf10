import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import type { Line, ProviderSettings, WebhookRequest } from '@faxdeck/provider-kit'
import { describeProvider, type SendFault } from '@faxdeck/provider-kit/conformance'
import { freshFolder, RecordingHost } from '@faxdeck/provider-kit/testing/recording-host'
import { describe, expect, it, onTestFinished } from 'vitest'
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

/** What Asterisk does with a login and an Originate. */
const answers: Partial<Record<SendFault, (action: string, id: string, socket: Socket) => string>> = {
  'a time-out': (action) => (action === 'Login' ? 'Response: Success' : ''),
  'bad credentials': () => 'Response: Error\r\nMessage: Authentication failed',
  'a refusal': (action) => `Response: ${action === 'Login' ? 'Success' : 'Error\r\nMessage: Originate failed'}`,
  'a fault of the server': (action, _id, socket) => {
    if (action === 'Login') return 'Response: Success'
    socket.destroy()
    return ''
  },
}

async function faultyAsterisk(fault: SendFault): Promise<number> {
  const server = createServer((socket) => {
    socket.write('Asterisk Call Manager/11.0.0\r\n')
    let unread = ''
    socket.on('data', (piece: Buffer) => {
      // What is asked at the same time comes in one piece.
      const actions = (unread + piece.toString()).split('\r\n\r\n')
      unread = actions.pop() ?? ''
      for (const text of actions) {
        const [, action = '', id = ''] = /^Action: (\w+)\r\nActionID: (\S+)/.exec(text) ?? []
        const answer = answers[fault]?.(action, id, socket)
        if (answer) socket.write(`${answer}\r\nActionID: ${id}\r\n\r\n`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  if (fault === 'a refused connection') server.close()
  return port
}

async function lineWith(fault: SendFault, settings: ProviderSettings): Promise<Line> {
  const host = new RecordingHost(await freshFolder())
  const tiffPath = join(host.directory, 'pages.tiff')
  await writeFile(tiffPath, 'pages')
  const line: Line = openSipLine(host, { ...settings, ami_port: await faultyAsterisk(fault) })
  return {
    ...line,
    send: (fax) => line.send({ ...fax, tiffPath }, AbortSignal.timeout(fault === 'a time-out' ? 500 : 10_000)),
  }
}

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
  sending: {
    faults: ['a time-out', 'a refused connection', 'bad credentials', 'a refusal', 'a fault of the server'],
    lineWith,
  },
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
