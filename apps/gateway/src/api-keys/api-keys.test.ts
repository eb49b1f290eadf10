import { type Scope, CallProblem } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { hashToken } from './token.ts'
import { KeyVerifier } from './verify.ts'
import { insertKey, listKeys } from './store.ts'
import { startGateway, type TestGateway } from '../testing/start-gateway.ts'
import { onEachDatabase } from '../testing/databases.ts'
import { transact } from '../db/transact.ts'

const id = 'a'.repeat(32)

async function statusWith({ app }: TestGateway, token: string, url = `/fax/${id}`): Promise<number> {
  const headers = { host: 'localhost', 'x-api-key': token }
  return (await app.inject({ url, headers, remoteAddress: '127.0.0.1' })).statusCode
}

const make = ({ client }: TestGateway, scopes: Scope[] = ['fax:send', 'fax:read']) =>
  client.createApiKey({ body: { name: 'Front desk', owner: 'demo', scopes } })

describe('API keys', () => {
  it('are made with a token that is shown once', async () => {
    const gateway = await startGateway()
    const { token, ...key } = await make(gateway)
    expect(token).toMatch(/^fdk_live_[0-9a-f]{12}_[\w-]{43}$/)
    expect(token).toContain(key.key_id)
    const listed = await gateway.client.listApiKeys({})
    expect(listed).toEqual([key])
    expect(JSON.stringify(listed)).not.toContain(token.slice(-43))
  })

  it('open what their scopes say', async () => {
    const gateway = await startGateway()
    const { token } = await make(gateway)
    expect(await statusWith(gateway, token)).toBe(404)
    expect(await statusWith(gateway, token, '/inbound')).toBe(403)
    expect(await statusWith(gateway, token, '/admin/config')).toBe(403)
  })

  it('cannot be granted everything at once, nor something unknown', async () => {
    const gateway = await startGateway()
    const payload = { name: 'x', scopes: ['*'] }
    const headers = { host: 'localhost', 'x-api-key': gateway.key }
    const answer = await gateway.app.inject({ method: 'POST', url: '/admin/api-keys', payload, headers })
    expect(answer.statusCode).toBe(422)
  })

  it.each([
    ['a right-to-left override', 'Front\u202etsil'],
    ['an isolate', 'Front\u2067 desk'],
    ['a mark of direction', 'Front desk\u200f 2'],
    ['an Arabic mark of direction', 'Front\u061c desk'],
    ['a control character', 'Front\u0007 desk'],
    ['a line end', 'Front\u2028desk'],
  ])('have no name and no owner that reads otherwise than it is: %s', async (_what, name) => {
    const gateway = await startGateway()
    const detail = expect.stringContaining('may change how it reads. Type it anew.') as unknown
    const refused = { status: 422, answer: { detail } }
    await expect(gateway.client.createApiKey({ body: { name } })).rejects.toMatchObject(refused)
    await expect(gateway.client.createApiKey({ body: { owner: name } })).rejects.toMatchObject(refused)
    expect(await gateway.client.listApiKeys({})).toEqual([])
  })

  it('are named in any script', async () => {
    const gateway = await startGateway()
    for (const name of ['مكتب الاستقبال', 'קבלה 2', 'Empfang „Süd“', '受付 👩‍⚕️']) {
      expect(await gateway.client.createApiKey({ body: { name } })).toMatchObject({ name })
    }
  })

  it('stop at once when they are rotated, and keep their id', async () => {
    const gateway = await startGateway()
    const before = await make(gateway)
    expect(await statusWith(gateway, before.token)).toBe(404)
    const after = await gateway.client.rotateApiKey({ params: { id: before.key_id } })
    expect(after.key_id).toBe(before.key_id)
    expect(await statusWith(gateway, before.token)).toBe(401)
    expect(await statusWith(gateway, after.token)).toBe(404)
  })

  it('stop at once when they are revoked, leave the list, and cannot come back', async () => {
    const gateway = await startGateway()
    const { token, key_id: keyId } = await make(gateway)
    expect(await statusWith(gateway, token)).toBe(404)
    await gateway.client.revokeApiKey({ params: { id: keyId } })
    expect(await statusWith(gateway, token)).toBe(401)
    expect(await gateway.client.listApiKeys({})).toEqual([])
    for (const again of [gateway.client.rotateApiKey, gateway.client.revokeApiKey]) {
      const problem = await again({ params: { id: keyId } }).catch((error: unknown) => error)
      expect(problem).toBeInstanceOf(CallProblem)
      expect(problem).toMatchObject({ status: 404, answer: { code: 'key_not_found' } })
    }
  })

  it('may not be born expired', async () => {
    const { client } = await startGateway()
    const late = client.createApiKey({ body: { expires_at: '2020-01-01T00:00:00Z' } })
    await expect(late).rejects.toMatchObject({ status: 422 })
  })

  it('leave their whole life in the audit trail, without their token', async () => {
    const gateway = await startGateway()
    const { token, key_id: keyId } = await make(gateway)
    await gateway.client.rotateApiKey({ params: { id: keyId } })
    await gateway.client.revokeApiKey({ params: { id: keyId } })
    const { items } = await gateway.client.listLogs({ query: { q: keyId } })
    expect(items.map(({ event }) => event)).toEqual(['api_key_revoked', 'api_key_rotated', 'api_key_created'])
    expect(JSON.stringify(items)).not.toContain(token)
  })
})

describe('KeyVerifier', () => {
  onEachDatabase((open) => {
    const token = `fdk_live_0123456789ab_${'s'.repeat(43)}`
    const row = {
      key_id: '0123456789ab',
      secret_sha256: hashToken(token),
      name: null,
      owner: null,
      scopes: 'fax:read,fax:fly',
      created_at: '2026-01-01T00:00:00.000Z',
      last_used_at: null,
      expires_at: new Date(100_000).toISOString(),
      revoked_at: null,
    }
    const verifierOn = async () => {
      const database = await open()
      await transact(database, (tx) => insertKey(tx, row))
      const clock = { now: 10_000 }
      const verifier = new KeyVerifier({
        db: database.db,
        bootstrapKey: 'the-bootstrap-key',
        now: () => clock.now,
        onTouchFailed: (error) => expect.unreachable(String(error)),
      })
      return { database, clock, verifier }
    }

    it('knows the bootstrap key and real tokens, and no others', async () => {
      const { verifier } = await verifierOn()
      expect(await verifier.verify('the-bootstrap-key')).toMatchObject({ keyId: 'bootstrap' })
      expect(await verifier.verify(token)).toEqual({ keyId: '0123456789ab', scopes: new Set(['fax:read']) })
      for (const wrong of [
        '',
        'the-bootstrap-kez',
        `${token}s`,
        token.replace('_s', '_t'),
        token.replace('ab_', 'ac_'),
      ]) {
        expect(await verifier.verify(wrong)).toBeUndefined()
        expect(verifier.wasValid(wrong)).toBe(false)
      }
    })

    it('asks the database again after two seconds', async () => {
      const { database, clock, verifier } = await verifierOn()
      await verifier.verify(token)
      await database.db.updateTable('api_keys').set({ revoked_at: '2026-01-02T00:00:00.000Z' }).execute()
      clock.now += 1999
      expect(await verifier.verify(token)).toBeDefined()
      clock.now += 1
      expect(await verifier.verify(token)).toBeUndefined()
    })

    it('lets a key expire on the second', async () => {
      const { clock, verifier } = await verifierOn()
      clock.now = 99_999
      expect(await verifier.verify(token)).toBeDefined()
      clock.now = 100_000
      expect(await verifier.verify(token)).toBeUndefined()
    })

    it('writes the time of last use once a minute', async () => {
      const { database, clock, verifier } = await verifierOn()
      const lastUse = async () => (await listKeys(database.db))[0]?.last_used_at
      clock.now = 60_000
      await verifier.verify(token)
      await expect.poll(lastUse, { timeout: 10_000 }).toBe(new Date(60_000).toISOString())
      clock.now = 61_000
      await verifier.verify(token)
      await verifier.verify(token)
      expect(await lastUse()).toBe(new Date(60_000).toISOString())
    })
  })
})
