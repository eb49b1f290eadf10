import { describe, expect, it } from 'vitest'
import { onEachGateway, type Opened, opened } from '../people/testing/with-app.ts'
import { Browser, password, signedIn } from '../../testing/browser.ts'
import { clientWith } from '../../testing/start-gateway.ts'

const scopes = ['keys:manage' as const]
const name = 'Anna'
const byName = (people: readonly { name: string }[]) => people.map((each) => each.name).toSorted()

/** A gateway, and somebody else with a full key. */
async function stolen(open: () => Promise<Opened>) {
  const gateway = await open()
  const { app, client } = gateway
  const { key_id: id, token } = await client.createApiKey({ body: { scopes } })
  const bad = { ...gateway, client: clientWith(app, token) }
  const isIn = async (browser: Browser) => (await browser.ask('GET', '/admin/settings')).status === 200
  const works = async (key: string) =>
    (await app.inject({ url: '/admin/settings', headers: { host: 'localhost', 'x-api-key': key } })).statusCode === 200
  const leavings = (query = {}) => client.getKeyLeavings({ params: { id }, query })
  const revoke = (query = {}) => client.revokeApiKey({ params: { id }, query })
  return { ...gateway, id, token, bad, isIn, works, leavings, revoke }
}

onEachGateway((open) => {
  it('those whom a revoked key let in are out at once, with the keys they made', async () => {
    const { bad, client, isIn, works, leavings, revoke, events, id, ...gateway } = await stolen(open)
    const staff = await signedIn({ ...gateway, client }, 'operator', 'staff')
    await bad.client.updatePerson({ params: { id: staff.person.id }, body: { role: 'administrator' } })
    const anna = await signedIn(bad, 'administrator', name)
    const made = (await anna.browser.ask('POST', '/admin/api-keys', { json: { scopes } })).body
    const child = await bad.client.createApiKey({ body: { scopes } })
    const friend = { ...bad, client: clientWith(bad.app, child.token) }
    const ben = await signedIn(friend, 'sender', 'Ben')
    const own = await signedIn({ ...gateway, client }, 'administrator', 'Own')
    expect([await isIn(anna.browser), await isIn(staff.browser), await works(made.token)]).toEqual([true, true, true])

    const shown = await leavings()
    expect(byName(shown.people)).toEqual([name, 'Ben', 'staff'])
    const ways = Object.fromEntries(shown.people.map((each) => [each.name, each.given.map(({ way }) => way)]))
    expect(ways).toEqual({ [name]: ['invited'], Ben: ['invited'], staff: ['promoted'] })
    expect(shown.people.find((each) => each.name === 'Ben')?.given[0]?.by.id).toBe(child.key_id)
    expect(shown.keys.map(({ key_id }) => key_id).toSorted()).toEqual([child.key_id, made.key_id].toSorted())

    const answer = await revoke({ issued: 'revoke', people: 'suspend' })
    expect(answer.people_suspended.toSorted()).toEqual([anna, staff, ben].map(({ person }) => person.id).toSorted())
    expect(answer.revoked.toSorted()).toEqual([id, child.key_id, made.key_id].toSorted())
    const out = [await isIn(anna.browser), await isIn(staff.browser), await works(made.token), await works(child.token)]
    expect(out).toEqual([false, false, false, false])
    const again = await new Browser(gateway.app).ask('POST', '/admin/sign-in', {
      json: { email: anna.email, password },
    })
    expect(again.status).toBe(403)
    expect(await isIn(own.browser)).toBe(true)
    expect(await events('person_changed')).toEqual(
      expect.arrayContaining([expect.objectContaining({ person: ben.person.id, state: 'suspended' })]),
    )
  })
})

describe('whom a key let in', () => {
  it('stays unless it is asked for, with the keys they made', async () => {
    const { bad, isIn, works, revoke } = await stolen(opened)
    const anna = await signedIn(bad, 'administrator', name)
    const made = (await anna.browser.ask('POST', '/admin/api-keys', { json: { scopes } })).body
    expect(await revoke({ issued: 'revoke' })).toMatchObject({ people_suspended: [], people_demoted: [] })
    expect([await isIn(anna.browser), await works(made.token)]).toEqual([true, true])
  })

  it('is demoted instead, or only some of them are', async () => {
    const { bad, client, isIn, revoke, leavings } = await stolen(opened)
    const anna = await signedIn(bad, 'administrator', name)
    const ben = await signedIn(bad, 'administrator', 'Ben')
    await anna.browser.ask('PUT', '/admin/settings', { json: { allowed_hosts: 'fax.lan' } })
    const query = { people: 'demote' as const, person_ids: anna.person.id }
    expect((await leavings(query)).settings.map(({ key }) => key)).toEqual(['allowed_hosts'])
    expect(await revoke(query)).toMatchObject({
      people_demoted: [anna.person.id],
      settings_undone: ['allowed_hosts'],
    })
    expect([await isIn(anna.browser), await isIn(ben.browser)]).toEqual([false, true])
    const roles = Object.fromEntries((await client.listPeople({})).map((each) => [each.name, each.role]))
    expect(roles).toEqual({ [name]: 'sender', Ben: 'administrator' })
  })

  it('counts through keys that were revoked before, and through people who are suspended', async () => {
    const { bad, client, leavings } = await stolen(opened)
    const child = await bad.client.createApiKey({ body: { scopes } })
    const anna = await signedIn({ ...bad, client: clientWith(bad.app, child.token) }, 'administrator', name)
    await anna.browser.ask('POST', '/admin/people', {
      json: { name: 'Ben', email: 'ben@clinic.example', role: 'sender' },
    })
    await client.revokeApiKey({ params: { id: child.key_id }, query: {} })
    await signedIn({ ...bad, client }, 'administrator', 'Own')
    await client.updatePerson({ params: { id: anna.person.id }, body: { suspended: true } })
    expect(byName((await leavings()).people)).toEqual(['Ben'])
  })

  it('is whoever it gave a link or another address, reinstated or freed of second factors, until somebody else decides again', async () => {
    const { bad, client, leavings, app } = await stolen(opened)
    const good = { ...bad, client }
    const { person } = await signedIn(good, 'operator', name)
    const [ben, cleo, dora] = [
      await signedIn(good, 'operator', 'Ben'),
      await signedIn(good, 'operator', 'Cleo'),
      await signedIn(good, 'operator', 'Dora'),
    ]
    const { person: eve } = await signedIn(good, 'operator', 'Eve')
    await bad.client.updatePerson({ params: { id: eve.id }, body: { email: 'mine@elsewhere.example' } })
    await bad.client.renewInvitation({ params: { id: person.id } })
    await client.updatePerson({ params: { id: ben.person.id }, body: { suspended: true } })
    await bad.client.updatePerson({ params: { id: ben.person.id }, body: { suspended: false } })
    await bad.client.resetFactors({ params: { id: cleo.person.id } })
    await bad.client.updatePerson({ params: { id: dora.person.id }, body: { role: 'sender' } })
    const ways = async () =>
      Object.fromEntries((await leavings()).people.map((each) => [each.name, each.given.map(({ way }) => way).join()]))
    expect(await ways()).toEqual({ [name]: 'link', Ben: 'reinstated', Cleo: 'factors_reset', Eve: 'email' })
    await client.updatePerson({ params: { id: eve.id }, body: { email: 'eve@clinic.example' } })
    const { token } = await client.renewInvitation({ params: { id: person.id } })
    expect(await ways()).toMatchObject({ [name]: 'link' })
    await new Browser(app).ask('POST', '/admin/invitations/accept', { json: { token, password } })
    expect(await ways()).toEqual({ Ben: 'reinstated', Cleo: 'factors_reset' })
  })

  it('leaves out whoever asks, and refuses to name them or somebody else', async () => {
    const { bad, client, id, isIn } = await stolen(opened)
    const anna = await signedIn(bad, 'administrator', name)
    const ben = await signedIn(bad, 'administrator', 'Ben')
    const own = await signedIn({ ...bad, client }, 'sender', 'Own')
    const revoke = (query: string) => anna.browser.ask('DELETE', `/admin/api-keys/${id}?people=suspend${query}`)
    const shown = (await anna.browser.ask('GET', `/admin/api-keys/${id}/leavings`)).body.people
    expect(shown.find((each: { is_you: boolean }) => each.is_you)).toMatchObject({ name })
    expect((await revoke(`&person_ids=${anna.person.id}`)).status).toBe(409)
    expect((await revoke(`&person_ids=${own.person.id}`)).status).toBe(422)
    expect((await revoke('')).body).toMatchObject({ people_suspended: [ben.person.id] })
    expect(await isIn(anna.browser)).toBe(true)
  })

  it('stays when otherwise nobody would be left who administers', async () => {
    const { bad, id, isIn, works, token } = await stolen(opened)
    const anna = await signedIn(bad, 'administrator', name)
    const self = bad.client.revokeApiKey({ params: { id }, query: { people: 'suspend' } })
    await expect(self).rejects.toMatchObject({ status: 409 })
    expect([await isIn(anna.browser), await works(token)]).toEqual([true, true])
  })
})

describe('whom a suspended administrator let in', () => {
  it('is listed, and goes with them when that is asked for', async () => {
    const { client, isIn, works, bad } = await stolen(opened)
    const good = { ...bad, client }
    await signedIn(good, 'administrator', 'Own')
    const anna = await signedIn(good, 'administrator', name)
    const json = { name: 'Ben', email: 'ben@clinic.example', role: 'administrator' }
    const { token } = (await anna.browser.ask('POST', '/admin/people', { json })).body
    const ben = new Browser(bad.app)
    await ben.ask('POST', '/admin/invitations/accept', { json: { token, password } })
    const made = (await ben.ask('POST', '/admin/api-keys', { json: { scopes } })).body
    const params = { id: anna.person.id }
    const { people, keys } = await client.getPersonLeavings({ params, query: {} })
    expect([byName(people), keys.map(({ key_id }) => key_id)]).toEqual([['Ben'], [made.key_id]])
    await expect(client.updatePerson({ params, body: { people: 'suspend' } })).rejects.toMatchObject({ status: 409 })
    await client.updatePerson({ params, body: { suspended: true, issued: 'revoke', people: 'suspend' } })
    expect([await isIn(anna.browser), await isIn(ben), await works(made.token)]).toEqual([false, false, false])
  })

  it('stays as the only administrator who can sign in, and then nothing is done', async () => {
    const { client, isIn, bad } = await stolen(opened)
    const anna = await signedIn({ ...bad, client }, 'administrator', name)
    const json = { name: 'Ben', email: 'ben@clinic.example', role: 'administrator' }
    const { token } = (await anna.browser.ask('POST', '/admin/people', { json })).body
    await new Browser(bad.app).ask('POST', '/admin/invitations/accept', { json: { token, password } })
    const body = { suspended: true, people: 'suspend' as const }
    const refused = client.updatePerson({ params: { id: anna.person.id }, body })
    await expect(refused).rejects.toMatchObject({ status: 409 })
    expect(await isIn(anna.browser)).toBe(true)
  })
})
