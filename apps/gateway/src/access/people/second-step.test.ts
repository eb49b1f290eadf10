import { describe, expect, it } from 'vitest'
import { Browser, password, signedIn } from '../../testing/browser.ts'
import { stepAt, totpCode } from './factors/totp.ts'
import { minute, onEachGateway, opened, type Opened, withApp } from './testing/with-app.ts'

async function half({ app }: Pick<Opened, 'app'>, email: string) {
  const browser = new Browser(app)
  const { status, body } = await browser.ask('POST', '/admin/sign-in', { json: { email, password } })
  expect([status, body.signed_in, browser.cookie]).toEqual([200, null, undefined])
  const type = (code: string) =>
    browser.ask('POST', '/admin/sign-in/code', { json: { token: body.second_step.token, code } })
  return { browser, type, step: body.second_step }
}

onEachGateway((open) => {
  it('an authenticator app counts once a code was right, and is asked for from then on', async () => {
    const gateway = await open()
    const { browser, email } = await signedIn(gateway, 'operator')
    const { token, secret } = (await browser.ask('POST', '/admin/account/totp/start')).body
    const add = (code: string) => browser.ask('POST', '/admin/account/totp', { json: { token, code } })
    expect((await add('000000')).body.code).toBe('second_step_refused')
    expect(
      (await new Browser(gateway.app).ask('POST', '/admin/sign-in', { json: { email, password } })).body,
    ).toMatchObject({
      signed_in: { must_enrol: false },
    })
    const used = totpCode(secret, stepAt(gateway.now()))
    const both = await Promise.all([add(used), add(used)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const shown = (await browser.ask('GET', '/admin/account/factors')).body
    expect(shown).toMatchObject({ totp: {}, passkeys: [], recovery_codes_left: 10, required: false })
    expect(JSON.stringify(shown)).not.toContain(secret)

    const { type, step, browser: other } = await half(gateway, email)
    expect(step).toMatchObject({ totp: true, passkey: false, recovery_code: true })
    // The code that set it up was used.
    expect((await type(used)).body.code).toBe('second_step_refused')
    expect((await type(totpCode(secret, stepAt(gateway.now()) + 1))).status).toBe(200)
    expect((await other.ask('GET', '/admin/config')).status).toBe(200)
    expect(await gateway.events('person_signed_in')).toMatchObject([{ how: 'password+totp' }, { how: 'password' }])
    expect(await gateway.events('sign_in_failed')).toMatchObject([{ step: 'totp' }])
    expect(await gateway.events('factor_added')).toMatchObject([{ factor: 'totp' }])
  })

  it('a code, and half a sign-in, are good once, also when they come at once', async () => {
    const gateway = await open()
    const { browser, email } = await signedIn(gateway, 'operator')
    const { code } = await withApp(gateway, browser)
    gateway.clock.ms += minute
    const halves = await Promise.all([half(gateway, email), half(gateway, email), half(gateway, email)])
    const all = await Promise.all(halves.map(({ type }) => type(code())))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
    gateway.clock.ms += minute
    const [first] = halves
    const winner = halves[all.findIndex(({ status }) => status === 200)] ?? first
    expect((await winner.type(code())).body.code).toBe('sign_in_expired')
  })

  it('half a sign-in ends after ten minutes, and with a new password', async () => {
    const gateway = await open()
    const { browser, email } = await signedIn(gateway, 'operator')
    const { code } = await withApp(gateway, browser)
    const late = await half(gateway, email)
    const overtaken = await half(gateway, email)
    const change = { current: password, next: 'five words and another comma' }
    expect((await browser.ask('POST', '/admin/account/password', { json: change })).status).toBe(204)
    expect((await overtaken.type(code(1))).body.code).toBe('sign_in_expired')
    gateway.clock.ms += 10 * minute
    expect((await late.type(code())).body.code).toBe('sign_in_expired')
  })

  it('a recovery code is good once, however it is typed, and new ones replace those from before', async () => {
    const gateway = await open()
    const { browser, email } = await signedIn(gateway, 'operator')
    const { codes } = await withApp(gateway, browser)
    expect(new Set(codes).size).toBe(10)
    const [used = '', stale = ''] = codes
    expect((await (await half(gateway, email)).type(` ${used.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200)
    expect((await (await half(gateway, email)).type(used)).body.detail).toContain('already used')
    expect(await gateway.events('recovery_code_used')).toMatchObject([{ left: 9 }])
    const renewed = await browser.ask('POST', '/admin/account/recovery-codes')
    expect(renewed.body.recovery_codes).toHaveLength(10)
    expect((await (await half(gateway, email)).type(stale)).status).toBe(403)
    expect((await (await half(gateway, email)).type(renewed.body.recovery_codes[0])).status).toBe(200)
    // Nothing that opens the account stands in the trail.
    const trail = JSON.stringify(await gateway.client.listLogs({ query: {} }))
    for (const code of [...codes, ...renewed.body.recovery_codes]) expect(trail).not.toContain(code)
  })

  it('wrong codes make wait, and a right password between them forgives none', async () => {
    const gateway = await open()
    const { browser, email } = await signedIn(gateway, 'operator')
    const { code } = await withApp(gateway, browser)
    gateway.clock.ms += minute
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) statuses.push((await (await half(gateway, email)).type('000000')).status)
    expect(statuses).toEqual([403, 403, 403, 403, 403])
    // Whether the password is right is not said any more.
    const again = (typed: string) =>
      new Browser(gateway.app).ask('POST', '/admin/sign-in', { json: { email, password: typed } })
    const [right, wrong] = [await again(password), await again('not the password')]
    expect([right.status, right.body.detail]).toEqual([wrong.status, wrong.body.detail])
    expect(right.status).toBe(429)

    gateway.clock.ms += 15 * minute
    for (let n = 0; n < 4; n++) await (await half(gateway, email)).type('000000')
    gateway.clock.ms += 15 * minute
    // Nine of the hour are counted in the database; the tenth is compared, and no other one.
    expect((await (await half(gateway, email)).type('000000')).status).toBe(403)
    expect((await (await half(gateway, email)).type(code())).status).toBe(429)
    gateway.clock.ms += 61 * minute
    expect((await (await half(gateway, email)).type(code())).status).toBe(200)
  })

  it('a link for a forgotten password does not open an account with a second factor', async () => {
    const gateway = await open()
    const { browser, person } = await signedIn(gateway, 'operator')
    const { code } = await withApp(gateway, browser)
    gateway.clock.ms += minute
    const { token } = await gateway.client.renewInvitation({ params: { id: person.id } })
    const visitor = new Browser(gateway.app)
    const json = { token, password: 'five words and another comma' }
    const { body } = await visitor.ask('POST', '/admin/invitations/accept', { json })
    expect([body.signed_in, visitor.cookie]).toEqual([null, undefined])
    const finish = { token: body.second_step.token, code: code() }
    expect((await visitor.ask('POST', '/admin/sign-in/code', { json: finish })).status).toBe(200)
  })

  it('a stolen cookie changes nothing about how its person signs in', async () => {
    const gateway = await open()
    const { browser } = await signedIn(gateway, 'administrator')
    const { code } = await withApp(gateway, browser)
    gateway.clock.ms += 10 * minute
    const guarded = [
      ['POST', '/admin/account/password', { next: 'five words and another comma' }],
      ['POST', '/admin/account/totp/start', undefined],
      ['DELETE', '/admin/account/totp', undefined],
      ['POST', '/admin/account/passkeys/start', undefined],
      ['DELETE', '/admin/account/passkeys/3f2a9c0b7d5e', undefined],
      ['POST', '/admin/account/recovery-codes', undefined],
    ] as const
    for (const [method, url, json] of guarded)
      expect([url, (await browser.ask(method, url, { json })).body.code]).toEqual([url, 'confirmation_required'])
    const me = (await browser.ask('GET', '/admin/account')).body.person.id
    const confirm = (typed: string) =>
      browser.ask('POST', '/admin/account/confirm', { json: { password: typed, code: code() } })
    expect((await confirm('not the password')).body.code).toBe('sign_in_refused')
    expect((await confirm(password)).status).toBe(204)
    for (const url of [`/admin/people/${me}/reset-factors`, `/admin/people/${me}/invitation`])
      expect((await browser.ask('POST', url)).status).toBe(409)
    expect((await browser.ask('DELETE', '/admin/account/totp')).status).toBe(204)
    expect((await browser.ask('GET', '/admin/account/factors')).body).toMatchObject({
      totp: null,
      recovery_codes_left: 0,
    })
  })

  it('where a second factor is required, who has none sets it up before anything else', async () => {
    const gateway = await open({ REQUIRE_SECOND_FACTOR: 'administrators' })
    const operator = await signedIn(gateway, 'operator')
    expect((await operator.browser.ask('GET', '/admin/config')).status).toBe(200)
    const { browser, email } = await signedIn(gateway, 'administrator')
    expect((await browser.ask('GET', '/admin/account')).body).toMatchObject({
      must_enrol: true,
      permissions: ['own_account'],
    })
    for (const [method, url] of [
      ['GET', '/admin/config'],
      ['GET', '/admin/people'],
      ['POST', '/admin/api-keys'],
      ['GET', '/admin/events'],
      ['POST', '/admin/account/password'],
    ] as const) {
      const { status, body } = await browser.ask(method, url, { json: method === 'POST' ? {} : undefined })
      expect([url, status, body.code]).toEqual([url, 403, 'factor_required'])
    }
    const { code } = await withApp(gateway, browser)
    expect((await browser.ask('GET', '/admin/people')).status).toBe(200)
    expect((await browser.ask('DELETE', '/admin/account/totp')).body.code).toBe('conflict')
    gateway.clock.ms += minute
    expect((await (await half(gateway, email)).type(code())).body).toMatchObject({ must_enrol: false })
  })

  it('an administrator resets what somebody has lost, which ends their sessions', async () => {
    const gateway = await open()
    const { browser, person, email } = await signedIn(gateway, 'operator')
    await withApp(gateway, browser)
    const begun = await half(gateway, email)
    expect(await gateway.client.listPeople({})).toMatchObject([{ second_factor: true }])
    const { client } = gateway
    expect(await client.resetFactors({ params: { id: person.id } })).toMatchObject({
      second_factor: false,
      sessions: 0,
    })
    expect((await browser.ask('GET', '/admin/account')).status).toBe(401)
    expect((await begun.type('123456')).body.code).toBe('sign_in_expired')
    expect(await gateway.events('factors_reset')).toMatchObject([{ person: person.id }])
    const again = new Browser(gateway.app)
    const { body } = await again.ask('POST', '/admin/sign-in', { json: { email, password } })
    expect(body.second_step).toBeNull()
    const told = async () => (await again.ask('GET', '/admin/account')).body.factors_reset_at
    expect(await told()).toBe(gateway.now().toISOString())
    expect((await again.ask('POST', '/admin/account/reset-seen')).status).toBe(204)
    expect(await told()).toBeNull()
    // Who had none has lost nothing.
    await client.resetFactors({ params: { id: person.id } })
    await again.ask('POST', '/admin/sign-in', { json: { email, password } })
    expect(await told()).toBeNull()
  })
})

describe('two changes of a password at once', () => {
  it('do not both count', async () => {
    const gateway = await opened()
    const { browser } = await signedIn(gateway, 'operator')
    const change = (next: string) =>
      browser.ask('POST', '/admin/account/password', { json: { current: password, next } })
    const both = await Promise.all([change('five words and another comma'), change('six words and yet another comma')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409])
  })
})
