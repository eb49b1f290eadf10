import { expect, it } from 'vitest'
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
