import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { Browser, password, signedIn } from '../../testing/browser.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { minute, onEachGateway } from './testing/with-app.ts'

const jane = { name: 'Jane Doe', email: 'Jane.Doe@clinic.example', role: 'operator' as const }

const tryToSignIn = (browser: Browser, email: string, typed: string) =>
  browser.ask('POST', '/admin/sign-in', { json: { email, password: typed } })

onEachGateway((open) => {
  describe('an invitation', () => {
    it('lets one person choose a password once, and signs them in', async () => {
      const gateway = await open()
      const { app, client, events } = gateway
      const visitor = new Browser(app)
      expect((await visitor.ask('GET', '/admin/sign-in')).body).toMatchObject({
        people: false,
        single_sign_on: null,
        contact: null,
      })
      const { person, token } = await client.invitePerson({ body: jane })
      expect(person).toMatchObject({ name: 'Jane Doe', state: 'invited', last_sign_in_at: null })
      const read = await visitor.ask('POST', '/admin/invitations/read', { json: { token } })
      expect(read.body).toEqual({ name: 'Jane Doe', email: 'Jane.Doe@clinic.example' })
      const accept = (browser: Browser, typed: string) =>
        browser.ask('POST', '/admin/invitations/accept', { json: { token, password: typed } })
      expect((await accept(visitor, 'password1234')).body).toMatchObject({ code: 'invalid' })

      const other = new Browser(app)
      const both = await Promise.all([accept(visitor, password), accept(other, 'another long password')])
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403])
      const winner = both[0].status === 200 ? visitor : other
      expect(winner.setCookie).toMatch(/^faxdeck_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
      expect((await winner.ask('GET', '/admin/account')).body).toMatchObject({
        person: { name: 'Jane Doe', role: 'operator' },
        permissions: expect.arrayContaining(['handle_faxes']),
      })
      expect(await client.listPeople({})).toMatchObject([{ state: 'active', sessions: 1, link_expires_at: null }])
      expect(await events('person_joined')).toMatchObject([{ key_id: `person:${person.id}`, name: 'Jane Doe' }])
      expect((await visitor.ask('GET', '/admin/sign-in')).body).toMatchObject({ people: true })
    })

    it('expires after 72 hours, is replaced by a newer one, and is not for whom is suspended', async () => {
      const { app, client, clock } = await open()
      const { person, token } = await client.invitePerson({ body: jane })
      const read = async (link: string) =>
        (await new Browser(app).ask('POST', '/admin/invitations/read', { json: { token: link } })).status
      const again = await client.renewInvitation({ params: { id: person.id } })
      expect([await read(token), await read(again.token)]).toEqual([403, 200])
      clock.ms += 72 * 60 * minute
      expect(await read(again.token)).toBe(403)
      const third = await client.renewInvitation({ params: { id: person.id } })
      await client.updatePerson({ params: { id: person.id }, body: { suspended: true } })
      await client.updatePerson({ params: { id: person.id }, body: { suspended: false } })
      expect(await read(third.token)).toBe(403)
      const twin = { ...jane, email: ' jane.doe@CLINIC.example' }
      await expect(client.invitePerson({ body: twin })).rejects.toMatchObject({ status: 409 })
    })
  })

  describe('another email address', () => {
    it('ends sessions and link, and is what the person signs in with from now on', async () => {
      const gateway = await open()
      const { app, client, events } = gateway
      const { browser, person, email } = await signedIn(gateway, 'operator')
      const { id } = person
      const { token } = await client.renewInvitation({ params: { id } })
      const changed = await client.updatePerson({ params: { id }, body: { email: 'new@clinic.example' } })
      expect(changed).toMatchObject({ email: 'new@clinic.example', sessions: 0, link_expires_at: null })
      expect((await browser.ask('GET', '/admin/account')).status).toBe(401)
      expect((await browser.ask('POST', '/admin/invitations/read', { json: { token } })).status).toBe(403)
      const [visitor, other] = [new Browser(app), new Browser(app)]
      expect((await tryToSignIn(visitor, email, password)).status).toBe(403)
      expect((await tryToSignIn(visitor, 'New@clinic.example', password)).status).toBe(200)
      await client.updatePerson({ params: { id }, body: { email: 'NEW@clinic.example' } })
      expect((await visitor.ask('GET', '/admin/account')).body.person).toMatchObject({ email: 'NEW@clinic.example' })
      expect(await events('person_changed')).toMatchObject([{ changed: ['email'] }, { changed: ['email'] }])

      // Two people cannot get one address, also at once.
      const twins = [await signedIn(gateway, 'sender', 'one'), await signedIn(gateway, 'sender', 'two')]
      const body = { email: 'same@clinic.example' }
      const both = twins.map((twin) => client.updatePerson({ params: { id: twin.person.id }, body }))
      const outcomes = await Promise.allSettled([...both, client.updatePerson({ params: { id }, body })])
      const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
      expect(refused).toMatchObject([{ status: 409 }, { status: 409 }])
      expect((await tryToSignIn(other, 'same@clinic.example', password)).status).toBe(200)
    })
  })

  describe('signing in', () => {
    it('is refused alike for a wrong password and for whoever may not', async () => {
      const gateway = await open()
      const { app, client, events } = gateway
      const { email } = await signedIn(gateway, 'operator')
      const suspended = await signedIn(gateway, 'operator', 'suspended')
      await client.updatePerson({ params: { id: suspended.person.id }, body: { suspended: true } })
      await client.invitePerson({ body: jane })
      const browser = new Browser(app)
      const refused = [
        await tryToSignIn(browser, email, 'not the password'),
        await tryToSignIn(browser, 'nobody@clinic.example', password),
        await tryToSignIn(browser, suspended.email, password),
        await tryToSignIn(browser, jane.email, password),
      ]
      const said = refused.map(({ status, body }) => [status, body.code, body.detail])
      expect(said).toEqual(Array.from({ length: 4 }, () => said[0]))
      expect(said[0]).toEqual([403, 'sign_in_refused', 'The email address or the password is wrong.'])
      expect(await events('sign_in_failed')).toHaveLength(4)
      expect(browser.cookie).toBeUndefined()
      expect((await tryToSignIn(browser, ` ${email.toUpperCase()}`, password)).status).toBe(200)
    })

    it('waits after five failures, also when they come at once', async () => {
      const gateway = await open()
      const { email } = await signedIn(gateway, 'operator')
      const browser = new Browser(gateway.app)
      const all = await Promise.all(Array.from({ length: 8 }, () => tryToSignIn(browser, email, 'a wrong password')))
      expect(all.filter(({ status }) => status === 429)).toHaveLength(3)
      expect((await tryToSignIn(browser, email, password)).status).toBe(429)
      gateway.clock.ms += 15 * minute
      expect((await tryToSignIn(browser, email, password)).status).toBe(200)
    })

    it('over HTTPS gives a cookie for this host and for HTTPS only', async () => {
      const gateway = await open()
      const { email } = await signedIn(gateway, 'operator')
      const browser = new Browser(gateway.app)
      const headers = { origin: 'https://localhost', host: 'localhost' }
      await browser.ask('POST', '/admin/sign-in', { json: { email, password }, headers })
      expect(browser.setCookie).toMatch(
        /^__Host-faxdeck_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      )
      expect((await browser.ask('GET', '/admin/account', { headers: { host: 'localhost' } })).status).toBe(200)
      // A neighboring host can set this one: without a base path it is none of ours.
      const cookie = browser.cookie?.replace('__Host-', '__Secure-')
      const neighbor = await browser.ask('GET', '/admin/account', { headers: { host: 'localhost', cookie } })
      expect(neighbor.status).toBe(401)
    })
  })

  describe('a session', () => {
    it('ends when its person does nothing, however often the page asks', async () => {
      const gateway = await open()
      const { browser } = await signedIn(gateway, 'operator')
      for (let n = 0; n < 14; n++) {
        gateway.clock.ms += minute
        expect((await browser.ask('GET', '/admin/config')).status).toBe(200)
      }
      expect((await browser.ask('POST', '/admin/account/stay')).status).toBe(200)
      gateway.clock.ms += 14 * minute
      expect((await browser.ask('GET', '/admin/config')).status).toBe(200)
      gateway.clock.ms += minute
      const { status, body } = await browser.ask('GET', '/admin/config')
      expect([status, body.detail]).toEqual([401, 'Your session has ended. Sign in again.'])
    })

    it('ends after twelve hours in any case', async () => {
      const gateway = await open()
      const { browser } = await signedIn(gateway, 'operator')
      for (let n = 0; n < 71; n++) {
        gateway.clock.ms += 10 * minute
        expect((await browser.ask('POST', '/admin/account/stay')).status).toBe(200)
      }
      gateway.clock.ms += 10 * minute
      expect((await browser.ask('POST', '/admin/account/stay')).status).toBe(401)
    })

    it('gets another token every few minutes; the one before is good for a minute more', async () => {
      const gateway = await open()
      const { browser } = await signedIn(gateway, 'operator')
      const first = browser.cookie
      const ask = async (cookie: string | undefined) =>
        (await browser.ask('GET', '/admin/account', { headers: { cookie } })).status
      gateway.clock.ms += 5 * minute
      const stays = await Promise.all(
        [1, 2, 3].map(() => browser.ask('POST', '/admin/account/stay', { headers: { cookie: first } })),
      )
      expect(stays.map(({ status }) => status)).toEqual([200, 200, 200])
      const second = browser.cookie
      expect(second).not.toBe(first)
      expect([await ask(first), await ask(second)]).toEqual([200, 200])
      gateway.clock.ms += minute
      expect([await ask(second), await ask(first)]).toEqual([200, 401])
    })

    it('ends for both when a token comes back that was replaced: one of them has copied the cookie', async () => {
      const gateway = await open()
      const { browser, person } = await signedIn(gateway, 'operator')
      const thief = new Browser(gateway.app)
      thief.cookie = browser.cookie
      gateway.clock.ms += 5 * minute
      expect((await thief.ask('POST', '/admin/account/stay')).status).toBe(200)
      expect(thief.cookie).not.toBe(browser.cookie)
      gateway.clock.ms += minute
      const isIn = async (each: Browser) => (await each.ask('GET', '/admin/account')).status === 200
      expect([await isIn(thief), await isIn(browser), await isIn(thief)]).toEqual([true, false, false])
      const ended = { key_id: `person:${person.id}`, count: 1, reason: 'cookie_copied' }
      expect(await gateway.events('sessions_ended')).toMatchObject([ended])
    })

    it('is listed and ended by its person, by an administrator and by a new password', async () => {
      const gateway = await open()
      const { client, app } = gateway
      const { browser, person, email } = await signedIn(gateway, 'sender')
      const another = async () => {
        const opened = new Browser(app)
        expect((await tryToSignIn(opened, email, password)).status).toBe(200)
        return opened
      }
      const isIn = async (each: Browser) => (await each.ask('GET', '/admin/account')).status === 200
      const second = await another()
      const list = (await browser.ask('GET', '/admin/account/sessions')).body as { id: string; current: boolean }[]
      expect(list.filter(({ current }) => current)).toHaveLength(1)
      const other = list.find(({ current }) => !current)
      expect((await browser.ask('DELETE', `/admin/account/sessions/${other?.id}`)).status).toBe(204)
      expect([await isIn(browser), await isIn(second)]).toEqual([true, false])

      const third = await another()
      const change = { current: password, next: 'five words and another comma' }
      expect((await browser.ask('POST', '/admin/account/password', { json: change })).status).toBe(204)
      expect([await isIn(browser), await isIn(third)]).toEqual([true, false])
      expect((await browser.ask('POST', '/admin/account/password', { json: change })).body.code).toBe('sign_in_refused')
      expect((await tryToSignIn(third, email, password)).status).toBe(403)

      expect(await client.endSessions({ params: { id: person.id } })).toMatchObject({ sessions: 0 })
      expect(await isIn(browser)).toBe(false)
      await tryToSignIn(third, email, change.next)
      const left = third.cookie
      expect((await third.ask('POST', '/admin/account/sign-out')).body).toEqual({ provider_url: null })
      expect(third.cookie).toBeUndefined()
      third.cookie = left
      expect(await isIn(third)).toBe(false)
    })

    it('ends with the person’s suspension, and a change of role counts at once', async () => {
      const gateway = await open()
      const { client, events } = gateway
      const { browser, person } = await signedIn(gateway, 'operator')
      const id = person.id
      expect((await browser.ask('GET', '/admin/search?q=fax')).status).toBe(200)
      await client.updatePerson({ params: { id }, body: { role: 'sender' } })
      const refused = await browser.ask('GET', '/admin/search?q=fax')
      expect([refused.status, refused.body.detail]).toEqual([
        403,
        expect.stringContaining('Your role does not include'),
      ])
      expect(await events('permission_denied')).toMatchObject([{ key_id: `person:${id}`, required: 'handle_faxes' }])
      await client.updatePerson({ params: { id }, body: { suspended: true } })
      await client.updatePerson({ params: { id }, body: { suspended: false } })
      expect((await browser.ask('GET', '/admin/account')).status).toBe(401)
    })

    it('that ends while the body of a call is on its way carries nothing out', async () => {
      const gateway = await open()
      const { app, client } = gateway
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      const { browser, person } = await signedIn(gateway, 'administrator')
      const call = request(`${address}/admin/api-keys`, {
        method: 'POST',
        headers: {
          cookie: browser.cookie,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          'content-length': 2,
          expect: '100-continue',
        },
      })
      call.flushHeaders()
      const answered = once(call, 'response')
      await once(call, 'continue')
      expect((await browser.ask('GET', '/admin/account')).status).toBe(200)
      await client.endSessions({ params: { id: person.id } })
      call.end('{}')
      const [answer] = (await answered) as [IncomingMessage]
      expect(answer.resume().statusCode).toBe(401)
      expect(await client.listApiKeys({})).toEqual([])
    })

    it('is kept by its hash alone', async () => {
      const gateway = await open()
      const { browser } = await signedIn(gateway, 'operator')
      const [, token = ''] = browser.cookie?.split('=') ?? []
      const backup = JSON.stringify(await gateway.client.listLogs({ query: {} }))
      expect(token).toHaveLength(43)
      expect(backup).not.toContain(token)
    })
  })

  it('an administrator changes everything but their own role, and stands in the key they make', async () => {
    const gateway = await open()
    const { browser, person } = await signedIn(gateway, 'administrator')
    const change = (json: object) => browser.ask('PUT', `/admin/people/${person.id}`, { json })
    expect((await change({ suspended: true })).status).toBe(409)
    expect((await change({ role: 'sender' })).status).toBe(409)
    expect((await change({ name: 'Jane' })).status).toBe(200)
    const made = await browser.ask('POST', '/admin/api-keys', { json: { name: 'Desk' } })
    expect(made.body).toMatchObject({ name: 'Desk', issued_by: `person:${person.id}` })
  })
})

describe('an administrator and other people', () => {
  it('says who invited whom, and what suspending takes back', async () => {
    const gateway = await startGateway()
    const { client } = gateway
    const { browser, person } = await signedIn(gateway, 'administrator', 'Alex')
    await browser.ask('POST', '/admin/people', { json: jane })
    const shown = await client.listPeople({})
    const inviters = shown.map(({ name, invited_by: { id, name: by } }) => [name, id, by])
    expect(inviters).toEqual([
      ['Alex', expect.any(String), null],
      ['Jane Doe', `person:${person.id}`, 'Alex'],
    ])
    const settings = { allowed_hosts: 'fax.lan' }
    expect((await browser.ask('PUT', '/admin/settings', { json: settings })).status).toBe(200)
    const { settings: undone } = await client.getPersonLeavings({ params: { id: person.id }, query: {} })
    expect(undone.map(({ key }) => key)).toEqual(['allowed_hosts'])
  })

  it('changes their own name, and no address of their own that single sign-on could open to others', async () => {
    const { client, ...gateway } = await startGateway()
    const { browser, person } = await signedIn({ ...gateway, client }, 'administrator', 'Alex')
    const change = (json: object) => browser.ask('PUT', `/admin/people/${person.id}`, { json })
    expect((await change({ name: 'Alexa' })).status).toBe(200)
    expect((await change({ email: 'alexa@clinic.example' })).body.detail).toContain('Ask another administrator.')
    expect(await client.listPeople({})).toMatchObject([{ name: 'Alexa', email: 'Alex@clinic.example' }])
  })

  it('leaves no pairing code to whoever administers no more', async () => {
    const gateway = await startGateway()
    const { client } = gateway
    const { browser, person } = await signedIn(gateway, 'administrator', 'Alex')
    await signedIn(gateway, 'administrator', 'Jane')
    const { body } = await browser.ask('POST', '/admin/tunnel/pair')
    await client.updatePerson({ params: { id: person.id }, body: { role: 'sender' } })
    await expect(client.redeemPairing({ body: { code: body.code } })).rejects.toMatchObject({ status: 403 })
  })

  it('sees and ends one session of a person; another person’s is not found', async () => {
    const gateway = await startGateway()
    const { client, app } = gateway
    const jane = await signedIn(gateway, 'operator', 'jane')
    const other = await signedIn(gateway, 'operator', 'other')
    const second = new Browser(app)
    await tryToSignIn(second, jane.email, password)
    const params = { id: jane.person.id }
    const [newest] = await client.listPersonSessions({ params })
    expect(newest).toMatchObject({ browser: 'Test browser', current: false })
    const session = newest?.id ?? ''
    const wrong = client.endPersonSession({ params: { id: other.person.id, session } })
    await expect(wrong).rejects.toMatchObject({ status: 404 })
    await client.endPersonSession({ params: { ...params, session } })
    const isIn = async (each: Browser) => (await each.ask('GET', '/admin/account')).status === 200
    expect([await isIn(jane.browser), await isIn(second), await isIn(other.browser)].toSorted()).toEqual([
      false,
      true,
      true,
    ])
    await expect(client.endPersonSession({ params: { ...params, session } })).rejects.toMatchObject({ status: 404 })
  })
})

onEachGateway((open) => {
  it('the only administrator who can sign in stays one, also when two go at once', async () => {
    const gateway = await open()
    const { client } = gateway
    const first = await signedIn(gateway, 'administrator', 'first')
    const change = (id: string, body: object) => client.updatePerson({ params: { id }, body })
    const refused = { status: 409, answer: { detail: expect.stringContaining('the only administrator') } }
    await client.invitePerson({ body: { ...jane, role: 'administrator' } })
    await expect(change(first.person.id, { role: 'operator' })).rejects.toMatchObject(refused)
    await expect(change(first.person.id, { suspended: true })).rejects.toMatchObject(refused)
    const second = await signedIn(gateway, 'administrator', 'second')
    const both = await Promise.allSettled([
      change(first.person.id, { suspended: true }),
      change(second.person.id, { role: 'sender' }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('a page of another site', () => {
  it.each([
    ['says so', { 'sec-fetch-site': 'cross-site', origin: undefined }],
    ['on a neighboring host says so', { 'sec-fetch-site': 'same-site', origin: undefined }],
    ['names itself', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
    ['says nothing', { 'sec-fetch-site': undefined, origin: undefined }],
    ['is typed into the address bar', { 'sec-fetch-site': 'none', origin: undefined }],
  ])('that %s changes nothing with the cookie of a visitor', async (_case, headers) => {
    const gateway = await startGateway()
    const { browser } = await signedIn(gateway, 'administrator')
    const { status, body } = await browser.ask('POST', '/admin/api-keys', { json: {}, headers })
    expect([status, body.code]).toEqual([403, 'host_refused'])
    expect(await gateway.client.listApiKeys({})).toEqual([])
  })
})
