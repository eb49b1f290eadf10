import type { JWTPayload } from 'jose'
import { UnsecuredJWT, SignJWT } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Browser, signedIn } from '../../../testing/browser.ts'
import { onEachGatewayDatabase } from '../../../testing/databases.ts'
import { startGateway, type TestGateway } from '../../../testing/start-gateway.ts'
import { startLyingProvider } from './testing/lying-provider.ts'
import { clientId, clientSecret, signInAt, signOutAt, startProvider } from './testing/provider.ts'

const path = '/oidc/backchannel-logout'
const consoleUrl = 'http://127.0.0.1:8080/admin-demo/'
const event = 'http://schemas.openid.net/event/backchannel-logout'
const creates = { OIDC_CREATE: 'true', OIDC_DEFAULT_ROLE: 'sender' }
type Form = string | Record<string, string>

/** Posts a form as the provider would, from an address outside. */
async function post({ app }: TestGateway, form: Form, remoteAddress = '203.0.113.7') {
  const payload = typeof form === 'string' ? form : new URLSearchParams(form).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', host: 'fax.clinic.example' }
  const answer = await app.inject({ method: 'POST', url: path, headers, payload, remoteAddress })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    detail: answer.body === '' ? '' : String(answer.json().detail),
  }
}

const isIn = async (browser: Browser) => (await browser.ask('GET', '/admin/account')).status === 200

async function enter({ app }: TestGateway, answer: (url: URL) => Promise<string> | string) {
  const browser = new Browser(app)
  const { body } = await browser.ask('POST', '/admin/sign-in/oidc')
  const json = { answer: await answer(new URL(String(body.url))) }
  expect((await browser.ask('POST', '/admin/sign-in/oidc/finish', { json })).status).toBe(200)
  return browser
}

/** A gateway with a provider that signs whatever a test wants. */
async function opened(env: Record<string, string>) {
  const { url, state, logoutToken } = await startLyingProvider()
  const oidc = { OIDC_ISSUER: url, OIDC_CLIENT_ID: 'faxdeck', OIDC_CLIENT_SECRET: 'shared' }
  const gateway = await startGateway({ env: { ...oidc, ...creates, ...env } })
  const signIn = (claims: JWTPayload = {}) =>
    enter(gateway, (asked) => {
      state.nonce = asked.searchParams.get('nonce') ?? ''
      state.lies = { claims }
      return `?code=a-code&state=${asked.searchParams.get('state')}`
    })
  const logout = async (token: string | Promise<string>) => post(gateway, { logout_token: await token })
  const events = async (name: string) => (await gateway.client.listLogs({ query: { event: name } })).items
  return { ...gateway, url, state, logoutToken, signIn, logout, events }
}

describe('a logout at the provider', () => {
  onEachGatewayDatabase((databaseOf) => {
    it('that a real provider posts ends the sessions of it, and no other', async () => {
      const gateway = await startGateway({ env: { ...creates, ...(await databaseOf()) } })
      const address = await gateway.app.listen({ port: 0, host: '127.0.0.1' })
      const jane = { name: 'Jane Doe', email: 'jane.doe@clinic.example', email_verified: true }
      const provider = await startProvider({ jane, boss: { ...jane, email: 'boss@clinic.example' } }, consoleUrl, {
        logoutUrl: `${address}${path}`,
      })
      onTestFinished(() => provider.stop())
      const oidc = { oidc_issuer: provider.issuer, oidc_client_id: clientId, oidc_client_secret: clientSecret }
      await gateway.client.updateSettings({ body: oidc })
      const [desk, home] = [new Map<string, string>(), new Map<string, string>()]
      const at = (login: string, cookies = new Map<string, string>()) =>
        enter(gateway, (url) => signInAt(url.href, login, consoleUrl, cookies))
      const [atDesk, atHome, boss] = [await at('jane', desk), await at('jane', home), await at('boss')]
      const { browser: byPassword } = await signedIn(gateway, 'operator')
      await signOutAt(provider.issuer, desk)
      await expect.poll(() => isIn(atDesk)).toBe(false)
      expect([await isIn(atHome), await isIn(boss), await isIn(byPassword)]).toEqual([true, true, true])
      const { items } = await gateway.client.listLogs({ query: { event: 'sessions_ended' } })
      expect(items).toMatchObject([{ key_id: 'single-sign-on', name: 'Jane Doe', count: 1 }])
    })

    it('ends every session of a person, or those of one session there', async () => {
      const { signIn, logout, logoutToken } = await opened(await databaseOf())
      const [first, second, unknown] = [await signIn({ sid: 's1' }), await signIn({ sid: 's2' }), await signIn()]
      const other = await signIn({ sub: 'u2', email: 'other@clinic.example', sid: 's9' })
      const answer = await logout(logoutToken({ sid: 's1' }))
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
      // Nobody knows which session there the third came from.
      expect([await isIn(first), await isIn(second), await isIn(unknown)]).toEqual([false, true, false])
      expect((await logout(logoutToken({ sub: undefined, sid: 's9' }))).status).toBe(200)
      expect([await isIn(second), await isIn(other)]).toEqual([true, false])
      // As providers of before the standard sent them.
      expect((await logout(logoutToken({ exp: undefined }, { typ: 'JWT' }))).status).toBe(200)
      expect(await isIn(second)).toBe(false)
      // Of somebody who has no session here.
      expect((await logout(logoutToken({ sub: 'nobody' }))).status).toBe(200)
    })

    it('that comes before the session is there lets nobody in', async () => {
      const { app, state, logout, logoutToken } = await opened(await databaseOf())
      /** Signs somebody in, and out while the provider is handing out their token. */
      const enterDuring = async (claims: JWTPayload & { sub: string }, signedOut: JWTPayload) => {
        const browser = new Browser(app)
        const { body } = await browser.ask('POST', '/admin/sign-in/oidc')
        const asked = new URL(String(body.url)).searchParams
        state.nonce = asked.get('nonce') ?? ''
        const meanwhile = async () => {
          expect((await logout(logoutToken({ sub: claims.sub, ...signedOut }))).status).toBe(200)
        }
        state.lies = { claims: { ...claims, email: `${claims.sub}@clinic.example` }, meanwhile }
        const json = { answer: `?code=a-code&state=${asked.get('state')}` }
        const answer = await browser.ask('POST', '/admin/sign-in/oidc/finish', { json })
        return [answer.status, await isIn(browser)]
      }
      const [refused, letIn] = [
        [403, false],
        [200, true],
      ]
      expect(await enterDuring({ sub: 'a', sid: 's1' }, { sid: 's1' })).toEqual(refused)
      expect(await enterDuring({ sub: 'b', sid: 's2' }, { sub: undefined, sid: 's2' })).toEqual(refused)
      expect(await enterDuring({ sub: 'c', sid: 's3' }, {})).toEqual(refused)
      // Nobody knows which session there it would come from.
      expect(await enterDuring({ sub: 'd' }, { sid: 's4' })).toEqual(refused)
      expect(await enterDuring({ sub: 'e', sid: 's5' }, { sid: 's6' })).toEqual(letIn)
      expect(await enterDuring({ sub: 'f', sid: 's7' }, { sub: 'somebody else' })).toEqual(letIn)
    })

    it('counts once: whoever repeats the token ends no later session', async () => {
      const { signIn, logout, logoutToken } = await opened(await databaseOf())
      const token = await logoutToken()
      const both = await Promise.all([logout(token), logout(token)])
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
      // The clock of the provider goes by seconds: in the same one, nobody knows which came first.
      const later = await signIn({ iat: Math.floor(Date.now() / 1000) + 1 })
      expect((await logout(token)).detail).toContain('already used')
      expect(await isIn(later)).toBe(true)
    })

    it('is not believed when anything about its token is wrong', async () => {
      const { state, url, signIn, logout, logoutToken, events } = await opened(await databaseOf())
      const browser = await signIn({ sid: 's1' })
      const now = Math.floor(Date.now() / 1000)
      const good = { iss: url, aud: 'faxdeck', iat: now, exp: now + 120, jti: 'j', events: { [event]: {} }, sub: 'u1' }
      const [header = '', body = '', signature = ''] = (await logoutToken()).split('.')
      const changed = Buffer.from(JSON.stringify({ ...good, sub: 'u1', jti: 'k' })).toString('base64url')
      const shared = new SignJWT(good).setProtectedHeader({ alg: 'HS256', kid: 'one', typ: 'logout+jwt' })
      const forged: Record<string, string | Promise<string>> = {
        'a signature by a strange key': logoutToken({}, {}, true),
        'a key that nobody knows': logoutToken({}, { kid: 'two' }, true),
        'no signature': new UnsecuredJWT(good).encode(),
        'the signature of another token': [header, changed, signature].join('.'),
        'no signature behind the dot': [header, body, ''].join('.'),
        'a shared secret': shared.sign(Buffer.from('shared'.padEnd(32, '-'))),
        'another issuer': logoutToken({ iss: 'https://evil.example' }),
        'no issuer': logoutToken({ iss: undefined }),
        'another client': logoutToken({ aud: 'another client' }),
        'no client': logoutToken({ aud: undefined }),
        'an old token': logoutToken({ iat: now - 1000, exp: now + 120 }),
        'a token of tomorrow': logoutToken({ iat: now + 86_400, exp: now + 90_000 }),
        'no time': logoutToken({ iat: undefined }),
        'a token that has expired': logoutToken({ iat: now - 200, exp: now - 100 }),
        'no event': logoutToken({ events: undefined }),
        'another event': logoutToken({ events: { 'http://schemas.openid.net/event/other': {} } }),
        'an event that is no object': logoutToken({ events: { [event]: 'yes' } }),
        'a list of events': logoutToken({ events: [event] }),
        'a nonce': logoutToken({ nonce: 'n' }),
        'no name of its own': logoutToken({ jti: undefined }),
        'neither person nor session': logoutToken({ sub: undefined }),
        'a person who is a list': logoutToken({ sub: ['u1'] as unknown as string }),
        'an ID token': logoutToken({ events: undefined, nonce: state.nonce }, { typ: 'JWT' }),
        'an access token': logoutToken({}, { typ: 'at+jwt' }),
        'no token': 'eyJhbGciOiJSUzI1NiJ9',
        nothing: '',
      }
      const taken: string[] = []
      for (const [what, token] of Object.entries(forged)) if ((await logout(token)).status !== 400) taken.push(what)
      expect(taken).toEqual([])
      expect(await isIn(browser)).toBe(true)
      expect(state.asked.filter((asked) => asked === '/jwks').length).toBeLessThanOrEqual(3)
      expect(await events('callback_refused')).toMatchObject([{ path, backend: 'single-sign-on', count: 1 }])
      expect((await logout(logoutToken({ sid: 's1' }))).status).toBe(200)
      expect(await isIn(browser)).toBe(false)
    })
  })
})

describe('the address for logouts', () => {
  it('listens to nobody for long who sends what is not believed, and to others all the same', async () => {
    const gateway = await opened({})
    const browser = await gateway.signIn()
    const refused = async (from: string) => (await post(gateway, { logout_token: 'x' }, from)).status
    for (let n = 0; n < 60; n++) expect(await refused('203.0.113.7')).toBe(400)
    expect(await refused('203.0.113.7')).toBe(429)
    expect((await post(gateway, { logout_token: await gateway.logoutToken() }, '203.0.113.7')).status).toBe(429)
    expect(await isIn(browser)).toBe(true)
    expect((await post(gateway, { logout_token: await gateway.logoutToken() }, '203.0.113.8')).status).toBe(200)
    expect(gateway.state.asked.filter((asked) => asked === '/jwks')).toHaveLength(2)
  })

  it('reads little, one token at a time, in a form', async () => {
    const gateway = await opened({})
    const token = await gateway.logoutToken()
    expect((await post(gateway, { logout_token: 'x'.repeat(20_000) })).status).toBe(413)
    expect((await post(gateway, `logout_token=${token}&logout_token=${token}`)).status).toBe(400)
    expect((await post(gateway, { token })).status).toBe(400)
    const json = await gateway.app.inject({ method: 'POST', url: path, payload: { logout_token: token } })
    expect(json.statusCode).toBe(415)
    expect((await gateway.app.inject({ method: 'GET', url: path })).statusCode).toBeGreaterThanOrEqual(404)
  })

  it('asks the provider to send a token again while its keys cannot be had', async () => {
    const { state, signIn, logout, logoutToken, client } = await opened({})
    const browser = await signIn()
    await client.updateSettings({ body: { oidc_client_secret: 'another' } })
    state.lies = { status: 500 }
    const token = await logoutToken()
    const { status, headers } = await logout(token)
    expect([status, headers['retry-after']]).toEqual([503, '30'])
    state.lies = {}
    expect((await logout(token)).status).toBe(200)
    expect(await isIn(browser)).toBe(false)
  })

  it('takes nothing where single sign-on is not set up', async () => {
    expect((await post(await startGateway(), { logout_token: 'x' })).detail).toContain('is not set up')
  })
})
