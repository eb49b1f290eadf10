import { describe, expect, it } from 'vitest'
import { Browser } from '../../../testing/browser.ts'
import { startGateway } from '../../../testing/start-gateway.ts'
import { startLyingProvider } from './testing/lying-provider.ts'

async function opened() {
  const { url, state } = await startLyingProvider()
  const oidc = { OIDC_ISSUER: url, OIDC_CLIENT_ID: 'faxdeck', OIDC_CLIENT_SECRET: 'shared', OIDC_CREATE: 'true' }
  const gateway = await startGateway({ env: { ...oidc, OIDC_DEFAULT_ROLE: 'sender' } })
  const browser = new Browser(gateway.app)
  const begin = async (json?: { again: boolean }) => {
    const { status, body } = await browser.ask('POST', '/admin/sign-in/oidc', { json })
    const asked = status === 200 ? new URL(String(body.url)).searchParams : undefined
    state.nonce = asked?.get('nonce') ?? ''
    return { status, detail: String(body.detail), asked, binding: browser.cookie }
  }
  const finish = async (stateParameter: string | null | undefined, as = browser) => {
    const answer = `?code=a-code&state=${stateParameter ?? ''}`
    const { status, body } = await as.ask('POST', '/admin/sign-in/oidc/finish', { json: { answer } })
    return { status, detail: String(body.detail) }
  }
  const enter = async () => finish((await begin()).asked?.get('state'))
  return { ...gateway, url, state, browser, begin, finish, enter }
}

const unbelievable = 'could not be verified'
const past = Math.floor(Date.now() / 1000) - 3600

describe('a provider that lies', () => {
  it('signs somebody in while it tells the truth', async () => {
    const { enter } = await opened()
    expect((await enter()).status).toBe(200)
  })

  it.each([
    ['another issuer', { claims: { iss: 'https://evil.example' } }, unbelievable],
    ['another audience', { claims: { aud: 'another client' } }, unbelievable],
    ['another nonce', { claims: { nonce: 'of another sign-in' } }, unbelievable],
    ['no nonce', { claims: { nonce: undefined } }, unbelievable],
    ['a token that has expired', { claims: { iat: past - 60, exp: past } }, 'has expired'],
    ['a signature by a strange key', { strangeKey: true }, unbelievable],
  ])('is refused for %s', async (_what, lies, sentence) => {
    const { state, enter, client, browser } = await opened()
    state.lies = lies
    const { status, detail } = await enter()
    expect([status, detail]).toEqual([403, expect.stringContaining(sentence)])
    expect(await client.listPeople({})).toEqual([])
    expect((await browser.ask('GET', '/admin/account')).status).toBe(401)
  })

  it('is believed when it says that somebody signed in there long ago: that confirms nothing', async () => {
    const { state, begin, finish, enter, browser } = await opened()
    const isConfirmed = async () => (await browser.ask('GET', '/admin/account/factors')).body.confirmed
    state.lies = { claims: { auth_time: past } }
    expect((await enter()).status).toBe(200)
    expect(await isConfirmed()).toBe(false)
    state.lies = { claims: { auth_time: Math.floor(Date.now() / 1000) + 3600 } }
    const { asked } = await begin({ again: true })
    expect([asked?.get('prompt'), asked?.get('max_age')]).toEqual(['login', '0'])
    expect((await finish(asked?.get('state'))).status).toBe(200)
    expect(await isConfirmed()).toBe(true)
  })

  it('accepts a code twice, but its answer counts once', async () => {
    const { begin, finish, browser, app } = await opened()
    const { asked, binding } = await begin()
    expect((await finish(asked?.get('state'))).status).toBe(200)
    const replaying = Object.assign(new Browser(app), { cookie: binding })
    expect((await finish(asked?.get('state'), replaying)).detail).toContain('was used already')
    expect((await finish('a state of nobody', replaying)).status).toBe(403)
    expect((await browser.ask('GET', '/admin/account')).status).toBe(200)
  })

  it.each([
    ['calls itself something else', { issuer: 'https://evil.example' }],
    ['fails', { status: 500 }],
  ])('that %s is not used, and is asked again at the next sign-in', async (_what, lies) => {
    const { state, begin, enter } = await opened()
    state.lies = lies
    const { status, detail } = await begin()
    expect([status, detail]).toEqual([503, expect.stringContaining('can’t be reached')])
    state.lies = {}
    expect((await enter()).status).toBe(200)
  })

  it('that sends us to an address inside is not followed', async () => {
    const { state, enter } = await opened()
    state.lies = { tokenEndpoint: 'http://169.254.169.254/latest/meta-data' }
    const { status, detail } = await enter()
    expect([status, detail]).toEqual([503, expect.stringContaining('can’t be reached')])
  })

  it.runIf(process.env.FAXDECK_LONG)(
    'that does not answer is given up with a sentence',
    async () => {
      const { state, begin } = await opened()
      state.lies = { silent: true }
      const { status, detail } = await begin()
      expect([status, detail]).toEqual([503, expect.stringContaining('did not answer in time')])
    },
    60_000,
  )

  it('is asked who it is once for many sign-ins', async () => {
    const { state, enter } = await opened()
    for (let n = 0; n < 3; n++) expect((await enter()).status).toBe(200)
    expect(state.asked.filter((path) => path.includes('well-known'))).toHaveLength(1)
  })
})
