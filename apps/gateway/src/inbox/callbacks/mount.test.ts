import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IncomingFax, Provider, StatusUpdate, Webhook } from '@faxdeck/provider-kit'
import { ProviderProblem } from '@faxdeck/provider-kit'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../base/http/answers/problem.ts'
import { DocumentMemory } from '../../base/storage/document-memory.ts'
import { mountCallbacks } from './mount.ts'

function courier(webhook: Partial<Webhook>): Provider {
  return {
    id: 'courier',
    name: 'Courier',
    kind: 'cloud',
    traits: {
      webhook_path: '/courier',
      sample_payload: null,
      signature_header: null,
      inbound_verification: 'basic',
      recommended: false,
      supports_inbound: true,
      supports_oauth: false,
      supports_cancel: false,
      supports_status: false,
      requires_ami: false,
      requires_pages: false,
    },
    settings: [],
    missing: () => undefined,
    webhooks: [
      {
        path: '/courier',
        name: 'status callback',
        purpose: 'status',
        takesFiles: true,
        proveHead: (head) => (head.headers['x-proof'] ? 'pending' : 'none'),
        verify: (request, settings) => request.headers['x-proof'] === settings.proof,
        translate: (request) => ({
          updates: [{ providerId: Object.fromEntries(request.fields).id, state: 'delivered' }],
        }),
        ...webhook,
      },
    ],
    checks: [],
    concurrency: 1,
  }
}

function gateway(
  webhook: Partial<Webhook> = {},
  extra: { internal?: boolean; off?: boolean; receive?: () => Promise<{ id: string }> } = {},
) {
  const updates: StatusUpdate[] = []
  const faxes: IncomingFax[] = []
  const refused: string[] = []
  const declined: object[] = []
  const unreadable: object[] = []
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) =>
    reply.status(error instanceof Problem ? error.status : 500).send({ detail: (error as Error).message }),
  )
  mountCallbacks(app, {
    providers: [courier(webhook)],
    settings: () => ({ proof: 'secret' }),
    publicUrl: () => 'https://fax.example.test',
    isInternal: () => extra.internal ?? false,
    receives: () => !extra.off,
    report: async (_id, update) => void updates.push(update),
    receive: extra.receive ?? (async (_id, fax) => (extra.off ? undefined : { id: `fax-${faxes.push(fax)}` })),
    declined: async (facts) => void declined.push(facts),
    refused: async ({ path }) => void refused.push(path),
    unreadable: async (facts) => void unreadable.push(facts),
    senderOf: () => '203.0.113.9',
    scratch: join(tmpdir(), 'faxdeck-callbacks'),
    memory: new DocumentMemory(64 * 1024 ** 2),
    close: async () => undefined,
  })
  return { app, updates, faxes, refused, declined, unreadable }
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('webhooks', () => {
  it('records a proven status callback before it answers 200', async () => {
    const { app, updates } = gateway()
    const answer = await app.inject({
      method: 'POST',
      url: '/courier?job=1',
      headers: { ...form, 'x-proof': 'secret' },
      payload: 'id=f-1&word=ok',
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ ok: true })
    expect(updates).toEqual([{ providerId: 'f-1', state: 'delivered' }])
  })

  it('refuses a request whose proof is wrong once the body is there, and gives back its place', async () => {
    const { app, updates, refused } = gateway()
    for (let n = 0; n < 100; n++) {
      const headers = { ...form, 'x-proof': 'wrong' }
      const answer = await app.inject({ method: 'POST', url: '/courier', headers, payload: 'id=f-1' })
      expect(answer.statusCode).toBe(401)
    }
    expect([updates, refused.length]).toEqual([[], 100])
  })

  it('refuses and records a request without proof', async () => {
    const { app, updates, refused } = gateway()
    const answer = await app.inject({ method: 'POST', url: '/courier', headers: form, payload: 'id=f-1' })
    expect(answer.statusCode).toBe(401)
    expect(updates).toEqual([])
    expect(refused).toEqual(['/courier'])
  })

  it('gives the provider the registered URL, whatever host was asked', async () => {
    let url = ''
    const { app } = gateway({ verify: (request) => ((url = request.url), true), proveHead: () => 'proved' })
    await app.inject({
      method: 'POST',
      url: '/courier?attempt=a1',
      headers: { ...form, host: 'evil.test' },
      payload: 'id=1',
    })
    expect(url).toBe('https://fax.example.test/courier?attempt=a1')
  })

  it('hands over the file of a multipart body with its bytes', async () => {
    let seen: { name: string; bytes: number[] } | undefined
    const { app } = gateway({
      translate: (request) => {
        const file = request.files[0]
        seen = file && { name: file.name, bytes: [...file.bytes] }
        return {}
      },
    })
    const body = new FormData()
    body.append('fax', '{"id":1}')
    body.append('file', new Blob([Uint8Array.of(0, 255, 13, 10)], { type: 'application/pdf' }), 'a.pdf')
    const encoded = new Response(body)
    await app.inject({
      method: 'POST',
      url: '/courier',
      headers: { 'content-type': encoded.headers.get('content-type') ?? '', 'x-proof': 'secret' },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    expect(seen).toEqual({ name: 'file', bytes: [0, 255, 13, 10] })
  })

  it('answers 400 to an invalid form', async () => {
    const { app } = gateway()
    const answer = await app.inject({
      method: 'POST',
      url: '/courier',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'x-proof': 'secret' },
      payload: 'not a form',
    })
    expect(answer.statusCode).toBe(400)
  })

  it('answers 400 with the reason when the provider cannot understand the body, and records it', async () => {
    const { app, unreadable } = gateway({
      translate: () => {
        throw new ProviderProblem('rejected', 'The callback names no fax.')
      },
    })
    const answer = await app.inject({
      method: 'POST',
      url: '/courier',
      headers: { ...form, 'x-proof': 'secret' },
      payload: '',
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ detail: 'The callback names no fax.' })
    expect(unreadable).toEqual([{ path: '/courier', backend: 'courier', error: 'The callback names no fax.' }])
  })

  it('does not answer 200 when the fax could not be recorded', async () => {
    const fax: IncomingFax = {
      providerId: '1',
      from: null,
      to: null,
      pages: 1,
      state: 'received',
      document: { fetch: '1' },
    }
    const { app } = gateway(
      { translate: () => ({ incoming: [fax] }) },
      { receive: () => Promise.reject(new Error('disk')) },
    )
    const answer = await app.inject({
      method: 'POST',
      url: '/courier',
      headers: { ...form, 'x-proof': 'secret' },
      payload: '',
    })
    expect(answer.statusCode).toBe(500)
  })

  it('leaves a fax with its provider while receiving is off, and records that', async () => {
    const fax: IncomingFax = {
      providerId: 'f-9',
      from: null,
      to: null,
      pages: 1,
      state: 'received',
      document: { fetch: '9' },
    }
    const outcome = { updates: [{ providerId: 's-1', state: 'delivered' as const }], incoming: [fax] }
    const { app, faxes, updates, declined } = gateway({ translate: () => outcome }, { off: true })
    const answer = await app.inject({
      method: 'POST',
      url: '/courier',
      headers: { ...form, 'x-proof': 'secret' },
      payload: '',
    })
    expect([answer.statusCode, answer.json()]).toEqual([503, { detail: 'Receiving is off. Send the fax again later.' }])
    expect(faxes).toEqual([])
    expect(updates).toHaveLength(1)
    expect(declined).toEqual([{ path: '/courier', backend: 'courier', provider_id: 'f-9' }])
  })

  it('answers in the words of the provider, and in others while receiving is off', async () => {
    const said = (body: string) => ({ status: 200, contentType: 'text/xml', body })
    const outcome = { answer: said('<Receive/>'), answerWhenOff: said('<Reject/>') }
    const call = { method: 'POST', url: '/courier', headers: { ...form, 'x-proof': 'secret' }, payload: '' } as const
    const on = await gateway({ translate: () => outcome }).app.inject(call)
    expect([on.body, on.headers['content-type']]).toEqual(['<Receive/>', 'text/xml'])
    expect((await gateway({ translate: () => outcome }, { off: true }).app.inject(call)).body).toBe('<Reject/>')
  })

  it('keeps internal addresses to the private network', async () => {
    const outside = gateway({ internal: true })
    const inside = gateway({ internal: true }, { internal: true })
    const call = {
      method: 'POST',
      url: '/courier',
      headers: { ...form, 'x-proof': 'secret' },
      payload: 'id=1',
    } as const
    expect((await outside.app.inject(call)).statusCode).toBe(403)
    expect((await inside.app.inject(call)).statusCode).toBe(200)
  })
})
