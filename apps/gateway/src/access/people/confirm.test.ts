import { expect, it } from 'vitest'
import { Events } from '../../base/events/events.ts'
import { transact } from '../../base/db/transact.ts'
import { sealsOf } from '../../base/settings/seal.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { fixedSettings, testContext } from '../../testing/test-context.ts'
import { confirmByPassword } from './confirm.ts'
import { Devices } from './devices.ts'
import { hashPassword } from './password.ts'
import { Sessions } from './sessions.ts'
import { emailKeyOf, findPerson, insertPerson, updatePerson } from './store.ts'
import { SignInThrottle } from './throttle.ts'
import { type Browser, password, signedIn } from '../../testing/browser.ts'
import { minute, onEachGateway, withApp } from './testing/with-app.ts'

const act = (browser: Browser) => browser.ask('POST', '/admin/api-keys', { json: {} })
const confirm = (browser: Browser, json: { password: string; code?: string }) =>
  browser.ask('POST', '/admin/account/confirm', { json })

onEachGateway((open) => {
  it('is asked of people ten minutes after they signed in, and counts for ten minutes', async () => {
    const gateway = await open()
    const { browser, person } = await signedIn(gateway, 'administrator')
    expect((await act(browser)).status).toBe(201)
    gateway.clock.ms += 10 * minute
    expect(await act(browser)).toMatchObject({ status: 403, body: { code: 'confirmation_required' } })
    expect((await browser.ask('GET', '/admin/account/factors')).body.confirmed).toBe(false)
    expect((await confirm(browser, { password: 'not the password' })).body.code).toBe('sign_in_refused')
    expect((await act(browser)).status).toBe(403)
    expect((await confirm(browser, { password })).status).toBe(204)
    expect((await act(browser)).status).toBe(201)
    gateway.clock.ms += 10 * minute
    expect((await act(browser)).body.code).toBe('confirmation_required')
    expect(await gateway.events('account_confirmed')).toMatchObject([{ person: person.id, how: 'password' }])
    expect(await gateway.events('sign_in_failed')).toMatchObject([{ step: 'confirmation' }])
  })

  it('takes a code as well from whoever has a second factor, each code once', async () => {
    const gateway = await open()
    const { browser } = await signedIn(gateway, 'administrator')
    const { code, codes } = await withApp(gateway, browser)
    gateway.clock.ms += 10 * minute
    expect(await confirm(browser, { password })).toMatchObject({ status: 422, body: { fields: [{ field: 'code' }] } })
    expect((await confirm(browser, { password, code: '000000' })).body.code).toBe('second_step_refused')
    expect((await confirm(browser, { password: 'not the password', code: code() })).body.code).toBe('sign_in_refused')
    expect((await act(browser)).status).toBe(403)
    const both = await Promise.all([1, 2].map(() => confirm(browser, { password, code: code() })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 403])
    expect((await act(browser)).status).toBe(201)
    gateway.clock.ms += 10 * minute
    const [recovery = ''] = codes
    expect((await confirm(browser, { password, code: recovery })).status).toBe(204)
    expect((await confirm(browser, { password, code: recovery })).body.code).toBe('second_step_refused')
    expect(await gateway.events('account_confirmed')).toMatchObject([
      { how: 'password+recovery' },
      { how: 'password+totp' },
    ])
  })

  it('is throttled with sign-ins, and a right password forgives no wrong code', async () => {
    const gateway = await open()
    const { browser, email } = await signedIn(gateway, 'administrator')
    const { code } = await withApp(gateway, browser)
    gateway.clock.ms += 10 * minute
    for (let n = 0; n < 5; n++) expect((await confirm(browser, { password, code: '000000' })).status).toBe(403)
    expect((await confirm(browser, { password, code: code() })).status).toBe(429)
    expect((await browser.ask('POST', '/admin/sign-in', { json: { email, password } })).status).toBe(429)
    // Wrong codes of the hour are counted in the database, beside those of sign-ins.
    gateway.clock.ms += 14 * minute
    await browser.ask('POST', '/admin/account/stay')
    gateway.clock.ms += 2 * minute
    for (let n = 0; n < 4; n++) expect((await confirm(browser, { password, code: '000000' })).status).toBe(403)
    gateway.clock.ms += 14 * minute
    await browser.ask('POST', '/admin/account/stay')
    gateway.clock.ms += 2 * minute
    expect((await confirm(browser, { password, code: '000000' })).status).toBe(403)
    expect((await confirm(browser, { password, code: code() })).status).toBe(429)
  })
})

onSqliteFirst((open) => {
  it('a password that was replaced while it was compared confirms nobody', async () => {
    const database = await open()
    const now = () => new Date('2026-11-23T08:00:00Z')
    const settings = fixedSettings({ session_idle_minutes: 30, session_hours: 12 })
    const context = testContext({ database, settings, events: new Events(database, now), now })
    const email = 'jane@clinic.example'
    const row = { id: 'aaaaaaaaaaaa', name: 'Jane', email, email_key: emailKeyOf(email), role: 'sender' } as const
    const nothing = { link_sha256: null, link_expires_at: null, link_by: null, factors_reset_at: null } as const
    const created = { created_at: now().toISOString(), created_by: 'bootstrap', last_sign_in_at: null } as const
    const password_hash = await hashPassword(password)
    const sessions = new Sessions(context)
    const place = { address: '127.0.0.1', browser: 'Test browser' }
    const sessionId = await transact(database, async (tx) => {
      await insertPerson(tx, { ...row, ...nothing, ...created, suspended: 0, password_hash })
      return (await sessions.open(tx, row.id, place, { how: 'password', mustEnrol: false })).row.id
    })
    const person = await findPerson(database.db, row.id)
    if (!person) throw new Error('The person is not there.')
    const devices = new Devices({ seals: sealsOf(Buffer.alloc(32, 1)), now })
    const parts = { sessions, devices, throttle: new SignInThrottle(now) }
    const confirmed = () => confirmByPassword(context, parts, { person, sessionId }, { password, place })
    await confirmed()
    const next = await hashPassword('another four words')
    await transact(database, (tx) => updatePerson(tx, row.id, { password_hash: next }))
    await expect(confirmed()).rejects.toMatchObject({ code: 'sign_in_refused' })
  })
})
