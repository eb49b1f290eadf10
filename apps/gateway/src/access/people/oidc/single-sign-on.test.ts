import type { Role } from '@faxdeck/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, password, signedIn } from '../../../testing/browser.ts'
import { onEachGatewayDatabase } from '../../../testing/databases.ts'
import { startGateway } from '../../../testing/start-gateway.ts'
import { clientId, clientSecret, signInAt, startProvider } from './testing/provider.ts'

const consoleUrl = 'http://127.0.0.1:8080/admin-demo/'
const jane = { name: 'Jane Doe', email: 'jane.doe@clinic.example', email_verified: true }
const accounts = {
  jane: { ...jane, groups: ['Staff', 'CN=Fax,OU=Desk'] },
  boss: { name: 'Alex Boss', email: 'alex@clinic.example', email_verified: true, groups: ['Fax admins'] },
  unsure: { ...jane, email_verified: false },
  twin: jane,
  kelvin: { name: 'Eve', email: 'ma\u212Ae@clinic.example', email_verified: true },
  outside: { name: 'Eve', email: 'eve@elsewhere.example', email_verified: true },
}
const mapping = {
  OIDC_ROLE_CLAIM: 'groups',
  OIDC_ROLES: 'Fax admins=administrator; CN=Fax,OU=Desk=operator',
}

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider(accounts, consoleUrl)
}, 60_000)
afterAll(() => provider.stop())

type Env = Record<string, string>

async function opened(env: Env = {}) {
  const oidc = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_LABEL: 'Clinic account',
  }
  const gateway = await startGateway({ env: { ...oidc, ...env } })
  const events = async (event: string) => (await gateway.client.listLogs({ query: { event } })).items
  const enter = (login: string, browser = new Browser(gateway.app)) => enterWith(browser, login)
  return { ...gateway, events, enter }
}

const start = async (browser: Browser) => {
  const { status, body } = await browser.ask('POST', '/admin/sign-in/oidc')
  expect([status, body.detail]).toEqual([200, undefined])
  return String(body.url)
}

/** The way of a browser: from the button to the provider and back. */
async function enterWith(browser: Browser, login: string) {
  const answer = await signInAt(await start(browser), login, consoleUrl)
  const { status, body } = await browser.ask('POST', '/admin/sign-in/oidc/finish', { json: { answer } })
  return { browser, answer, status, body, detail: String(body.detail) }
}
const accountOf = async (browser: Browser) => (await browser.ask('GET', '/admin/account')).body.person

function onEachDatabase(suite: (open: (env?: Env) => ReturnType<typeof opened>) => void): void {
  onEachGatewayDatabase((database) => suite(async (env) => opened({ ...env, ...(await database()) })))
}

onEachDatabase((open) => {
  it('creates an account at the first sign-in, and knows it again at the next', async () => {
    const { client, enter, events } = await open({ OIDC_CREATE: 'true', ...mapping })
    const first = await enter('jane')
    expect([first.status, first.body.name]).toEqual([200, 'Jane Doe'])
    expect(await accountOf(first.browser)).toMatchObject({ name: 'Jane Doe', email: jane.email, role: 'operator' })
    const again = await enter('jane')
    expect(again.status).toBe(200)
    const people = await client.listPeople({})
    expect(people).toMatchObject([{ state: 'active', sessions: 2, invited_by: { id: 'single-sign-on' } }])
    expect(await events('person_signed_in')).toHaveLength(2)
  })

  it('opens an invited account by a verified address, after which the link of the invitation is dead', async () => {
    const { app, client, enter } = await open()
    const body = { name: 'Jane Doe', email: ' JANE.doe@clinic.example', role: 'sender' as const }
    const { token } = await client.invitePerson({ body })
    const refused = await enter('unsure')
    expect([refused.status, refused.detail]).toEqual([403, expect.stringContaining('does not confirm your email')])
    const { browser } = await enter('jane')
    expect(await accountOf(browser)).toMatchObject({ role: 'sender' })
    const read = await new Browser(app).ask('POST', '/admin/invitations/read', { json: { token } })
    expect(read.status).toBe(403)
    // The address was given to somebody else at the provider.
    expect((await enter('twin')).detail).toContain('Another account of the sign-in provider')
    expect((await enter('boss')).detail).toContain('You have no account here.')
  })

  it('keeps opening the account of somebody who got another address, to them alone', async () => {
    const { client, enter } = await open({ OIDC_CREATE: 'true', OIDC_DEFAULT_ROLE: 'sender' })
    const { browser } = await enter('jane')
    const [person] = await client.listPeople({})
    await client.updatePerson({ params: { id: person?.id ?? '' }, body: { email: accounts.boss.email } })
    expect((await browser.ask('GET', '/admin/account')).status).toBe(401)
    expect(await accountOf((await enter('jane')).browser)).toMatchObject({ id: person?.id, email: accounts.boss.email })
    expect((await enter('boss')).detail).toContain('Another account of the sign-in provider')
  })

  it('lets nobody in whom an administrator has suspended', async () => {
    const { client, enter, events } = await open({ OIDC_CREATE: 'true', OIDC_DEFAULT_ROLE: 'sender' })
    const { browser } = await enter('jane')
    const [person] = await client.listPeople({})
    const params = { id: person?.id ?? '' }
    await client.updatePerson({ params, body: { suspended: true } })
    expect((await browser.ask('GET', '/admin/account')).status).toBe(401)
    expect((await enter('jane')).detail).toContain('suspended')
    expect(await events('sign_in_failed')).toHaveLength(1)
  })

  it('gives the role of the claims at every sign-in, and keeps the last administrator', async () => {
    const gateway = await open({ OIDC_CREATE: 'true', ...mapping })
    const { client, enter } = gateway
    const { browser } = await enter('boss')
    expect(await accountOf(browser)).toMatchObject({ role: 'administrator' })
    const nobody = { OIDC_ROLES: 'Nobody=sender' }
    await client.updateSettings({ body: { oidc_roles: nobody.OIDC_ROLES } })
    expect(await accountOf((await enter('boss')).browser)).toMatchObject({ role: 'administrator' })
    await signedIn(gateway, 'administrator' satisfies Role, 'second')
    expect((await enter('boss')).detail).toContain('has no role here')
    await client.updateSettings({ body: { oidc_roles: 'Fax admins=auditor' } })
    expect(await accountOf((await enter('boss')).browser)).toMatchObject({ role: 'auditor' })
  })

  it('leaves whoever has lost every role the least, and no session that was open', async () => {
    const gateway = await open({ OIDC_CREATE: 'true', ...mapping })
    await signedIn(gateway, 'administrator' satisfies Role, 'stays')
    const { browser } = await gateway.enter('boss')
    expect((await browser.ask('GET', '/admin/people')).status).toBe(200)
    await gateway.client.updateSettings({ body: { oidc_roles: 'Nobody=sender' } })
    const tries = [await gateway.enter('boss'), await gateway.enter('boss')]
    for (const { detail } of tries) expect(detail).toContain('has no role here')
    expect((await browser.ask('GET', '/admin/account')).status).toBe(401)
    const people = await gateway.client.listPeople({})
    expect(people.find(({ name }) => name === 'Alex Boss')).toMatchObject({ role: 'sender', sessions: 0 })
    expect(await gateway.events('person_changed')).toHaveLength(1)
  })

  it('takes an answer once, and only in the browser that began', async () => {
    const { app, enter } = await open({ OIDC_CREATE: 'true', OIDC_DEFAULT_ROLE: 'sender' })
    const mine = new Browser(app)
    const answer = await signInAt(await start(mine), 'jane', consoleUrl)
    const binding = mine.cookie
    const other = new Browser(app)
    await start(other)
    const finish = (browser: Browser, json = { answer }) => browser.ask('POST', '/admin/sign-in/oidc/finish', { json })
    expect((await finish(other)).body.detail).toContain('began in another browser')
    expect((await finish(new Browser(app))).body.detail).toContain('began in another browser')
    const both = await Promise.all([1, 2].map(() => finish(Object.assign(new Browser(app), { cookie: binding }))))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403])
    mine.cookie = binding
    expect((await finish(mine)).body.detail).toContain('was used already')
    expect((await enter('jane')).status).toBe(200)
  })
})

describe('single sign-on', () => {
  it('is offered by its name alone, beside the form for passwords', async () => {
    const gateway = await opened({ SIGN_IN_CONTACT: 'the IT desk', OIDC_CREATE: 'true', OIDC_DEFAULT_ROLE: 'sender' })
    const { body } = await new Browser(gateway.app).ask('GET', '/admin/sign-in')
    expect(body).toEqual({ people: false, single_sign_on: { label: 'Clinic account' }, contact: 'the IT desk' })
    const { email } = await signedIn(gateway, 'operator')
    const json = { email, password }
    expect((await new Browser(gateway.app).ask('POST', '/admin/sign-in', { json })).status).toBe(200)
    const off = await startGateway()
    const refused = await new Browser(off.app).ask('POST', '/admin/sign-in/oidc')
    expect([refused.status, refused.body.detail]).toEqual([409, 'Single sign-on is not set up here.'])
  })

  it('opens no account by an address whose letters only look like its own', async () => {
    const { client, enter } = await opened({ OIDC_CREATE: 'true', ...mapping })
    await client.invitePerson({ body: { name: 'Make', email: 'make@clinic.example', role: 'sender' } })
    const refused = await enter('kelvin')
    expect([refused.status, refused.detail]).toEqual([403, expect.stringContaining('mistaken for others')])
    expect(await client.listPeople({})).toMatchObject([{ name: 'Make', state: 'invited' }])
  })

  it('keeps to the allowed email domains', async () => {
    const { enter } = await opened({ OIDC_CREATE: 'true', OIDC_DEFAULT_ROLE: 'sender', OIDC_DOMAINS: 'clinic.example' })
    expect((await enter('outside')).detail).toContain('email domain')
    expect((await enter('jane')).status).toBe(200)
  })

  it('refuses whose claims name no role, where nobody else has one', async () => {
    const { enter, client } = await opened({ OIDC_CREATE: 'true', ...mapping })
    expect((await enter('outside')).detail).toContain('has no role here')
    expect(await client.listPeople({})).toEqual([])
  })

  it('comes back under a base path and over the address of a proxy', async () => {
    const gateway = await opened({ BASE_PATH: '/faxdeck', PUBLIC_API_URL: 'https://fax.clinic.example/faxdeck' })
    const browser = new Browser(gateway.app)
    const headers = { origin: 'https://fax.clinic.example', host: 'fax.clinic.example' }
    const { body } = await browser.ask('POST', '/faxdeck/admin/sign-in/oidc', { headers })
    const asked = new URL(String(body.url)).searchParams
    expect(asked.get('redirect_uri')).toBe('https://fax.clinic.example/faxdeck/admin-demo/')
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(browser.setCookie).toMatch(
      /^__Secure-faxdeck_oidc=[\w-]{43}; Path=\/faxdeck\/; HttpOnly; SameSite=Strict; Max-Age=600; Secure$/,
    )
  })

  it('leads to the end of the session at the provider when a person signs out', async () => {
    const { enter } = await opened({ OIDC_CREATE: 'true', OIDC_DEFAULT_ROLE: 'sender' })
    const { browser } = await enter('jane')
    const { body } = await browser.ask('POST', '/admin/account/sign-out')
    const url = new URL(String(body.provider_url))
    expect(url.origin).toBe(provider.issuer)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(consoleUrl)
    const page = await fetch(url)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/session/end/confirm')])
    expect((await browser.ask('GET', '/admin/account')).status).toBe(401)
  })

  it('passes on what the provider refused, and nothing of what it wrote', async () => {
    const { app } = await opened()
    const browser = new Browser(app)
    const finish = async (error: string) => {
      const state = new URL(await start(browser)).searchParams.get('state')
      const iss = encodeURIComponent(provider.issuer)
      const answer = `?error=${error}&error_description=Call+0900&state=${state}&iss=${iss}`
      return (await browser.ask('POST', '/admin/sign-in/oidc/finish', { json: { answer } })).body.detail
    }
    expect(await finish('access_denied')).toBe('The sign-in was canceled at the provider.')
    expect(await finish('server_error')).toBe('The sign-in provider refused (server_error). Sign in again.')
  })
})
