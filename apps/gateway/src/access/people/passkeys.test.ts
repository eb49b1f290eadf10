import { describe, expect, it } from 'vitest'
import { Authenticator } from '../../testing/authenticator.ts'
import { Browser, password, signedIn } from '../../testing/browser.ts'
import { onEachGatewayDatabase } from '../../testing/databases.ts'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'

const minute = 60_000
/** Where the console was opened; browsers know no passkeys for addresses in numbers. */
const here = { host: 'localhost:8080', origin: 'http://localhost:8080' }

async function opened(env: Record<string, string> = {}) {
  const clock = { ms: Date.UTC(2026, 10, 23, 8) }
  return { ...(await startGateway({ now: () => new Date(clock.ms), env })), clock }
}

const ask = (browser: Browser, url: string, json?: unknown, headers: object = here) =>
  browser.ask('POST', url, { json, headers: { ...headers } })

async function withPasskey(gateway: TestGateway, name = 'Jane') {
  const { browser, person, email } = await signedIn(gateway, 'operator', name)
  const key = new Authenticator()
  const { challenge } = (await ask(browser, '/admin/account/passkeys/start')).body
  const made = { name: 'Blue key', response: key.make(challenge) }
  const { status, body } = await ask(browser, '/admin/account/passkeys', made)
  expect([status, body.recovery_codes?.length]).toEqual([200, 10])
  return { browser, person, email, key }
}

async function challengeFor(browser: Browser, token?: string): Promise<string> {
  return (await ask(browser, '/admin/sign-in/passkey/options', token === undefined ? {} : { token })).body.challenge
}

function suite(open: () => ReturnType<typeof opened>): void {
  it('signs in alone, once for each question', async () => {
    const gateway = await open()
    const { key, person } = await withPasskey(gateway)
    const visitor = new Browser(gateway.app)
    const response = key.answer(await challengeFor(visitor), person.id)
    const both = await Promise.all([1, 2].map(() => ask(visitor, '/admin/sign-in/passkey', { response })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403])
    expect((await visitor.ask('GET', '/admin/config')).status).toBe(200)
    const { items } = await gateway.client.listLogs({ query: { event: 'person_signed_in' } })
    expect(items).toMatchObject([{ how: 'passkey', person: person.id }])
  })

  it('is the second step of its own person only', async () => {
    const gateway = await open()
    const jane = await withPasskey(gateway)
    const joe = await withPasskey(gateway, 'Joe')
    const visitor = new Browser(gateway.app)
    const begin = async () =>
      (await ask(visitor, '/admin/sign-in', { email: jane.email, password })).body.second_step.token
    const finish = async (key: Authenticator, id: string) => {
      const token: string = await begin()
      const response = key.answer(await challengeFor(visitor, token), id)
      return (await ask(visitor, '/admin/sign-in/passkey', { token, response })).status
    }
    expect(await finish(joe.key, joe.person.id)).toBe(403)
    expect(await finish(joe.key, jane.person.id)).toBe(403)
    expect(visitor.cookie).toBeUndefined()
    expect(await finish(jane.key, jane.person.id)).toBe(200)
  })

  it.each([
    ['another page', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:9999' }],
    ['another host name', { host: 'evil.example' }],
    ['nobody’s finger', { verified: false }],
    ['a counter that stands still, as that of a copy does', { counter: 1 }],
  ])('is refused with %s', async (_case, claims) => {
    const gateway = await open()
    const { key, person } = await withPasskey(gateway)
    const visitor = new Browser(gateway.app)
    const response = key.answer(await challengeFor(visitor), person.id, claims)
    const { status, body } = await ask(visitor, '/admin/sign-in/passkey', { response })
    expect([status, body.code, visitor.cookie]).toEqual([403, 'passkey_refused', undefined])
    const { items } = await gateway.client.listLogs({ query: { event: 'sign_in_failed' } })
    expect(items).toMatchObject([{ step: 'passkey' }])
  })

  it('is refused late, for a question of another kind, and once its person is suspended', async () => {
    const gateway = await open()
    const { key, person, browser } = await withPasskey(gateway)
    const visitor = new Browser(gateway.app)
    const tryWith = async (challenge: string) =>
      (await ask(visitor, '/admin/sign-in/passkey', { response: key.answer(challenge, person.id) })).body.code
    const ofConfirming = (await ask(browser, '/admin/account/confirm/passkey/options')).body.challenge
    expect(await tryWith(ofConfirming)).toBe('sign_in_expired')
    const late = await challengeFor(visitor)
    gateway.clock.ms += 5 * minute
    expect(await tryWith(late)).toBe('sign_in_expired')
    await gateway.client.updatePerson({ params: { id: person.id }, body: { suspended: true } })
    expect(await tryWith(await challengeFor(visitor))).toBe('sign_in_expired')
  })

  it('is given another name by its person, and by nobody else', async () => {
    const gateway = await open()
    const { browser } = await withPasskey(gateway)
    const list = async () => (await browser.ask('GET', '/admin/account/factors')).body.passkeys
    const [{ id, name: was }] = await list()
    const rename = (by: Browser, name: string) => by.ask('PUT', `/admin/account/passkeys/${id}`, { json: { name } })
    expect((await rename(browser, '  Office key ')).status).toBe(204)
    expect((await rename(browser, 'Office key')).status).toBe(204)
    expect(await list()).toMatchObject([{ id, name: 'Office key' }])
    expect((await rename(browser, ' ')).status).toBe(422)
    const other = await signedIn(gateway, 'operator', 'other')
    expect((await rename(other.browser, 'Mine')).body.code).toBe('factor_not_found')
    const { items } = await gateway.client.listLogs({ query: { event: 'passkey_renamed' } })
    expect(items).toMatchObject([{ label: 'Office key', was }])
  })

  it('confirms who somebody is, in their own session', async () => {
    const gateway = await open()
    const { key, person, browser } = await withPasskey(gateway)
    gateway.clock.ms += 11 * minute
    expect((await ask(browser, '/admin/account/recovery-codes')).body.code).toBe('confirmation_required')
    const { challenge } = (await ask(browser, '/admin/account/confirm/passkey/options')).body
    const response = key.answer(challenge, person.id)
    expect((await ask(browser, '/admin/account/confirm/passkey', { response })).status).toBe(204)
    expect((await ask(browser, '/admin/account/recovery-codes')).status).toBe(200)
  })
}

describe('a passkey', () => {
  onEachGatewayDatabase((database) => suite(async () => opened(await database())))

  it('belongs to the address that people see, behind a proxy and under a base path', async () => {
    const gateway = await opened({ PUBLIC_API_URL: 'https://fax.clinic.example', BASE_PATH: '/faxdeck' })
    const { browser } = await signedIn(gateway, 'operator')
    const seen = { host: '127.0.0.1:8080', origin: 'https://fax.clinic.example' }
    const asked = await ask(browser, '/admin/account/passkeys/start', undefined, seen)
    expect(asked.body).toMatchObject({ rp: { id: 'fax.clinic.example' }, user: { name: 'operator@clinic.example' } })
  })

  it('cannot be made at an address in numbers', async () => {
    const gateway = await opened()
    const { browser } = await signedIn(gateway, 'operator')
    const { body } = await browser.ask('POST', '/admin/account/passkeys/start')
    expect(body.detail).toContain('need a host name')
  })
})
