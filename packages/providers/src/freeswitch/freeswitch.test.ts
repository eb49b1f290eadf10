import type { WebhookRequest } from '@faxdeck/provider-kit'
import { describeProvider } from '@faxdeck/provider-kit/conformance'
import { throughFaulty } from '@faxdeck/provider-kit/testing/faulty-engine'
import { describe, expect, it } from 'vitest'
import { freeswitch } from './index.ts'
import { openFreeswitchLine } from './send.ts'

const secret = 'an-internal-secret'
const uuid = '66666666-6666-4666-8666-666666666666'
const attemptId = uuid.replaceAll('-', '')

const requestOf = (body: string, fields: WebhookRequest['fields'] = []): WebhookRequest => ({
  method: 'POST',
  url: 'https://fax.example.test/_internal/freeswitch/outbound_result',
  headers: { 'x-internal-secret': secret },
  query: {},
  body: Buffer.from(body),
  fields,
  files: [],
})

const result = {
  job_id: attemptId,
  fax_status: 'SUCCESS',
  fax_result_text: 'OK',
  fax_document_transferred_pages: 2,
  uuid,
}
const ok = 'Content-Type: command/reply\nReply-Text: +OK\n\n'

const faultyFreeswitch = throughFaulty({
  greeting: 'Content-Type: auth/request\n\n',
  blank: '\n',
  answers: {
    'a time-out': (command) => (command.startsWith('bgapi') ? '' : ok),
    'bad credentials': () => 'Content-Type: command/reply\nReply-Text: -ERR invalid\n\n',
    'a refusal': (command) => (command.startsWith('bgapi') ? ok.replace('+OK', '-ERR no reply') : ok),
    'a fault of the server': (command, socket) => {
      if (!command.startsWith('bgapi')) return ok
      socket.destroy()
      return ''
    },
  },
  open: (host, settings, port) => openFreeswitchLine(host, { ...settings, freeswitch_esl_port: port }),
})

describeProvider(freeswitch, {
  settings: { freeswitch_esl_host: '127.0.0.1', freeswitch_esl_password: 'p', freeswitch_gateway_name: 'my_trunk' },
  also: { asterisk_inbound_secret: secret },
  fixtures: [
    {
      name: 'a result',
      path: '/_internal/freeswitch/outbound_result',
      request: requestOf(JSON.stringify(result)),
      proves: 'itself',
    },
  ],
  sending: faultyFreeswitch,
})

describe('the result hook', () => {
  const read = (reported: object, fields: WebhookRequest['fields'] = []) =>
    freeswitch.webhooks[0]?.translate(requestOf(fields.length > 0 ? '' : JSON.stringify(reported), fields), {})
      .updates?.[0]

  it.each([
    [{ fax_success: 1 }, 'delivered'],
    [{ fax_success: '1' }, 'delivered'],
    [{ fax_status: 'ok' }, 'delivered'],
    [{ fax_success: 0 }, 'failed'],
    [{ fax_status: 'FAILED' }, 'failed'],
    [{ fax_status: 'error' }, 'failed'],
    [{ fax_status: 'SUCCESS', fax_success: '0' }, 'failed'],
    [{ fax_status: 'queued' }, 'in_progress'],
    [{}, 'in_progress'],
  ])('reads %j as %s', (reported, state) => {
    expect(read({ uuid, ...reported })).toMatchObject({ attemptId, providerId: uuid, state })
  })

  it('takes pages that are missing or empty, and knows a fax that broke off', () => {
    expect(read({ uuid, fax_success: 1, fax_document_transferred_pages: null })).not.toHaveProperty('pagesConfirmed')
    const dropped = { job_id: attemptId, fax_success: 0, fax_document_transferred_pages: '1', fax_result_text: 'Gone' }
    expect(read(dropped)).toMatchObject({ attemptId, kind: 'partial', pagesConfirmed: 1 })
  })

  it('reads a form as well', () => {
    expect(
      read({}, [
        ['uuid', uuid],
        ['fax_success', '1'],
      ]),
    ).toMatchObject({ state: 'delivered' })
  })

  it.each(['', '[]', '{"fax_success":', '{"fax_success":1}', '{"uuid":"../x"}', '{"job_id":{}}'])(
    'refuses %j',
    (body) => {
      expect(() => freeswitch.webhooks[0]?.translate(requestOf(body), {})).toThrow('neither uuid nor job_id')
    },
  )
})
