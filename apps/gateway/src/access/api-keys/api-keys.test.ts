import { type Scope, CallProblem } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrapKey } from './bootstrap.ts'
import { hashToken } from './token.ts'
import { KeyVerifier } from './verify.ts'
import { Events } from '../../base/events/events.ts'
import { issueKey } from './issue.ts'
import { fixedSettings, testContext } from '../../testing/test-context.ts'
import { apiKeyHandlers } from './feature.ts'
import { insertKey, listKeys, revokeKey } from './store.ts'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { transact } from '../../base/db/transact.ts'

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
    const detail = expect.stringContaining('may change how it reads. Type it again.') as unknown
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
    await gateway.client.revokeApiKey({ params: { id: keyId }, query: {} })
    expect(await statusWith(gateway, token)).toBe(401)
    expect(await gateway.client.listApiKeys({})).toEqual([])
    for (const again of [gateway.client.rotateApiKey, gateway.client.revokeApiKey]) {
      const problem = await again({ params: { id: keyId }, query: {} }).catch((error: unknown) => error)
      expect(problem).toBeInstanceOf(CallProblem)
      expect(problem).toMatchObject({ status: 404, answer: { code: 'key_not_found' } })
    }
  })

  it('end with the pairing codes that they made, also when they are rotated', async () => {
    const gateway = await startGateway()
    for (const end of ['DELETE /admin/api-keys/:id', 'POST /admin/api-keys/:id/rotate']) {
      const { token, key_id: keyId } = await make(gateway, ['keys:manage'])
      const [method, path = ''] = end.split(' ')
      const headers = { host: 'localhost', 'x-api-key': token }
      const made = await gateway.app.inject({ method: 'POST', url: '/admin/tunnel/pair', headers })
      const asOwner = { host: 'localhost', 'x-api-key': gateway.key }
      await gateway.app.inject({ method: method as 'POST', url: path.replace(':id', keyId), headers: asOwner })
      await expect(gateway.client.redeemPairing({ body: { code: made.json().code } })).rejects.toMatchObject({
        answer: { code: 'pairing_refused' },
      })
    }
  })

  it('name who was given their token, and take along on request what their holder could hold', async () => {
    const gateway = await startGateway()
    const { app, client, key: owner } = gateway
    const ask = async (key: string, path: string, payload: object = {}) => {
      const headers = { host: 'localhost', 'x-api-key': key }
      const answer = await app.inject({ method: 'POST', url: `/admin/api-keys${path}`, headers, payload })
      return answer.json<{ key_id: string; token: string }>()
    }
    const manages = { scopes: ['keys:manage'] }
    const bad = await ask(owner, '', manages)
    const made = await ask(bad.token, '', manages)
    const grandchild = await ask(made.token, '', { scopes: ['fax:read'] })
    const rotated = await ask(owner, '', { scopes: ['fax:read'] })
    await ask(bad.token, `/${rotated.key_id}/rotate`)
    const fine = await ask(owner, '', { scopes: ['fax:read'] })
    const takenBack = await ask(bad.token, '', { scopes: ['fax:read'] })
    await ask(owner, `/${takenBack.key_id}/rotate`)
    const issuers = Object.fromEntries((await client.listApiKeys({})).map((each) => [each.key_id, each.issued_by]))
    expect(issuers).toEqual({
      [bad.key_id]: 'bootstrap',
      [made.key_id]: bad.key_id,
      [grandchild.key_id]: made.key_id,
      [rotated.key_id]: bad.key_id,
      [fine.key_id]: 'bootstrap',
      [takenBack.key_id]: 'bootstrap',
    })
    const headers = { host: 'localhost', 'x-api-key': made.token }
    const pairing = await app.inject({ method: 'POST', url: '/admin/tunnel/pair', headers })
    const { revoked } = await client.revokeApiKey({ params: { id: bad.key_id }, query: { issued: 'revoke' } })
    expect(revoked.toSorted()).toEqual([bad, made, grandchild, rotated].map(({ key_id: keyId }) => keyId).toSorted())
    const left = (await client.listApiKeys({})).map(({ key_id: keyId }) => keyId).toSorted()
    expect(left).toEqual([fine.key_id, takenBack.key_id].toSorted())
    expect(await statusWith(gateway, grandchild.token)).toBe(401)
    await expect(client.redeemPairing({ body: { code: pairing.json().code } })).rejects.toMatchObject({
      answer: { code: 'pairing_refused' },
    })
  })

  it('say that they have expired to whoever holds the whole token, and to nobody else', async () => {
    const clock = { now: new Date('2026-03-02T12:00:00.000Z') }
    const gateway = await startGateway({ now: () => clock.now })
    const body = { scopes: ['fax:read' as const], expires_at: '2026-03-02T13:00:00.000Z' }
    const { token } = await gateway.client.createApiKey({ body })
    const detailWith = async (key: string) => {
      const headers = { host: 'localhost', 'x-api-key': key }
      const answer = await gateway.app.inject({ url: `/fax/${id}`, headers })
      return [answer.statusCode, answer.json().code, answer.json().detail]
    }
    clock.now = new Date('2026-03-02T14:00:00.000Z')
    expect(await detailWith(token)).toEqual([401, 'unauthorized', expect.stringContaining('This key has expired.')])
    const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    expect(await detailWith(wrong)).toEqual([401, 'unauthorized', expect.not.stringContaining('expired')])
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
    await gateway.client.revokeApiKey({ params: { id: keyId }, query: {} })
    const { items } = await gateway.client.listLogs({ query: { q: keyId } })
    expect(items.map(({ event }) => event)).toEqual(['api_key_revoked', 'api_key_rotated', 'api_key_created'])
    expect(JSON.stringify(items)).not.toContain(token)
  })
})

describe('the first key', () => {
  const started = async () => {
    const gateway = await startGateway({ env: { API_KEY: '' } })
    const file = join(gateway.directory, 'bootstrap-key')
    const first = readFileSync(file, 'utf8').trim()
    const id = first.split('_')[2] ?? ''
    const ask = (method: 'POST' | 'DELETE', url: string, key: string) =>
      gateway.app.inject({ method, url: `/admin/api-keys${url}`, headers: { host: 'localhost', 'x-api-key': key } })
    return { gateway, file, first, id, ask }
  }

  it('is replaced by its own holder: at once, in its file, and for every process that shares it', async () => {
    const { gateway, file, first, id, ask } = await started()
    const other = bootstrapKey(null, gateway.directory)
    const answer = await ask('POST', `/${id}/rotate`, first)
    const { token, key_id: keyId } = answer.json()
    expect([answer.statusCode, keyId]).toEqual([200, id])
    expect(readFileSync(file, 'utf8').trim()).toBe(token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect([await statusWith(gateway, first), await statusWith(gateway, token)]).toEqual([401, 404])
    other.refresh()
    expect(other.key).toBe(token)
  })

  it('is replaced by no other key, which would keep the new token when it is revoked', async () => {
    const { gateway, file, first, id, ask } = await started()
    const { token } = (
      await gateway.app.inject({
        method: 'POST',
        url: '/admin/api-keys',
        headers: { host: 'localhost', 'x-api-key': first },
        payload: { scopes: ['keys:manage'] },
      })
    ).json()
    const answer = await ask('POST', `/${id}/rotate`, token)
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden'])
    expect(readFileSync(file, 'utf8').trim()).toBe(first)
  })

  it('says how it is replaced when somebody wants to revoke it', async () => {
    const { id, first, ask } = await started()
    const answer = await ask('DELETE', `/${id}`, first)
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'key_not_found'])
    expect(answer.json().detail).toContain('cannot be revoked, only replaced')
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
      fax_access: 'own' as const,
      received_only: null,
      received_delete: 0,
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
        bootstrapKey: () => 'the-bootstrap-key',
        now: () => new Date(clock.now),
        onTouchFailed: (error) => expect.unreachable(String(error)),
      })
      return { database, clock, verifier }
    }
    const handlersOn = async () => {
      const { database, clock, verifier } = await verifierOn()
      const nothing = () => undefined
      const first = { key: 'fdk_live_000000000000_x', file: null, isNew: false, refresh: nothing, replace: nothing }
      const now = () => new Date(clock.now)
      // It has written no setting: there is nothing to take back.
      const settings = fixedSettings({}, { rows: [], savedBy: async () => [], reread: async () => undefined })
      const context = testContext({ database, settings, events: new Events(database, () => new Date()), now })
      const handlers = apiKeyHandlers(context, { first, verifier })
      const ask = async (change: 'rotateApiKey' | 'revokeApiKey', keyId: string): Promise<unknown> => {
        const handle: (call: never) => unknown = handlers[change]
        return handle({ params: { id: row.key_id }, query: {}, caller: { keyId } } as never)
      }
      return { verifier, ask }
    }

    it('knows the bootstrap key and real tokens, and no others', async () => {
      const { verifier } = await verifierOn()
      expect(await verifier.verify('the-bootstrap-key')).toMatchObject({ keyId: 'bootstrap' })
      expect(await verifier.verify(token)).toEqual({
        kind: 'key',
        keyId: '0123456789ab',
        permissions: new Set(['read_faxes', 'own_webhooks']),
        faxAccess: 'own',
      })
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

    it('no key is created by one that has ended, even when its call was admitted before', async () => {
      const { database } = await verifierOn()
      const events = new Events(database, () => new Date())
      const wanted = {
        name: null,
        owner: null,
        scopes: ['fax:read'] as const,
        fax_access: 'own' as const,
        expires_at: null,
        by: row.key_id,
      }
      const issue = (now: Date) => transact(database, (tx) => issueKey(tx, events, wanted, now))
      expect(await issue(new Date(50_000))).toMatchObject({ issued_by: row.key_id })
      await expect(issue(new Date(200_000))).rejects.toMatchObject({ code: 'unauthorized' })
      await transact(database, (tx) => revokeKey(tx, row.key_id, new Date(60_000).toISOString()))
      await expect(issue(new Date(50_000))).rejects.toMatchObject({ code: 'unauthorized' })
      expect(await listKeys(database.db)).toHaveLength(1)
    })

    it('lets nobody in on what was read before a key was revoked', async () => {
      const { database, clock } = await verifierOn()
      const hasRead = Promise.withResolvers<undefined>()
      const mayGoOn = Promise.withResolvers<undefined>()
      const db = database.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          hasRead.resolve(undefined)
          await mayGoOn.promise
          return result
        },
      })
      const onTouchFailed = (error: unknown) => expect.unreachable(String(error))
      const verifier = new KeyVerifier({ db, bootstrapKey: () => 'x', now: () => new Date(clock.now), onTouchFailed })
      const verified = verifier.verify(token)
      await hasRead.promise
      await database.db.updateTable('api_keys').set({ revoked_at: '2026-01-02T00:00:00.000Z' }).execute()
      verifier.forget()
      mayGoOn.resolve(undefined)
      expect(await verified).toBeUndefined()
      expect(await verifier.verify(token)).toBeUndefined()
    })

    it.each(['rotateApiKey', 'revokeApiKey'] as const)(
      'lets nobody in any more once the same process has answered %s, before any signal arrives',
      async (change) => {
        const { verifier, ask } = await handlersOn()
        expect(await verifier.verify(token)).toBeDefined()
        await ask(change, 'bootstrap')
        expect(await verifier.verify(token)).toBeUndefined()
      },
    )

    it('no key is rotated by one that has ended, even when its call was admitted before', async () => {
      const { verifier, ask } = await handlersOn()
      await expect(ask('rotateApiKey', 'ended')).rejects.toMatchObject({ code: 'unauthorized' })
      expect(await verifier.verify(token)).toBeDefined()
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
      expect(await verifier.verify(token)).toBe('expired')
      expect(await verifier.verify(token.replace('_s', '_t'))).toBeUndefined()
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
