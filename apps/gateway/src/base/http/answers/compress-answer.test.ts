import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { smallApp } from '../testing/small-app.ts'

const keyOf = (number: number) => ({
  key_id: `key-${number}`,
  name: 'Café',
  owner: null,
  scopes: [],
  created_at: '2026-01-01T00:00:00.000Z',
  last_used_at: null,
  fax_access: 'own' as const,
  received_only: null,
  received_delete: false,
  expires_at: null,
  issued_by: null,
})

async function withKeys(count: number) {
  const keys = Array.from({ length: count }, (_, number) => keyOf(number))
  const small = await smallApp({ listApiKeys: () => keys })
  const read = (encoding?: string) => small.ask({ url: '/admin/api-keys', headers: { 'accept-encoding': encoding } })
  return { ...small, keys, read }
}

describe('a long answer', () => {
  it.each(['gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.8', 'deflate,GZIP'])(
    'is compressed for who accepts %s',
    async (encoding) => {
      const { keys, read } = await withKeys(200)
      const answer = await read(encoding)
      expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
      expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length)
      expect(answer.rawPayload.length).toBeLessThan(JSON.stringify(keys).length / 5)
      expect(JSON.parse(gunzipSync(answer.rawPayload).toString())).toEqual(keys)
    },
  )

  it.each([undefined, 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0, *', 'notgzip'])(
    'goes out as it is to who accepts %s',
    async (encoding) => {
      const { keys, read } = await withKeys(200)
      const answer = await read(encoding)
      expect(answer.headers['content-encoding']).toBeUndefined()
      expect(answer.headers.vary).toBe('accept-encoding')
      expect(answer.json()).toEqual(keys)
    },
  )

  it('keeps its length when only that is asked for', async () => {
    const { app } = await withKeys(200)
    await app.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => app.close())
    const { port } = app.server.address() as AddressInfo
    const headers = { 'x-api-key': 'admin-key', 'accept-encoding': 'gzip' }
    const ask = async (method: string) => {
      const call = request({ port, path: '/admin/api-keys', method, headers }).end()
      const [answer] = (await once(call, 'response')) as [IncomingMessage]
      const pieces = await answer.toArray()
      return { headers: answer.headers, bytes: Buffer.concat(pieces).length }
    }
    const [whole, head] = [await ask('GET'), await ask('HEAD')]
    expect(whole.headers['content-length']).toBe(String(whole.bytes))
    expect(head).toMatchObject({ bytes: 0, headers: { 'content-length': String(whole.bytes) } })
  })
})

it('a short answer goes out as it is', async () => {
  const { keys, read } = await withKeys(3)
  const answer = await read('gzip')
  expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([undefined, undefined])
  expect(answer.json()).toEqual(keys)
})
