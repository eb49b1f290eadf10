import { serveHttp, tryChecks } from '@faxdeck/provider-kit/testing/try-checks'
import { describe, expect, it } from 'vitest'
import { phaxio } from './index.ts'

const settings = { phaxio_api_key: 'test-key', phaxio_api_secret: 'test-secret' }

/** Answers as Phaxio answers `GET account/status`. */
const account = (secret = 'test-secret', success = true) =>
  serveHttp((request, response) => {
    const good = request.headers.authorization === `Basic ${Buffer.from(`test-key:${secret}`).toString('base64')}`
    const right = request.method === 'GET' && request.url === '/v2.1/account/status'
    response.writeHead(!right ? 404 : good ? 200 : 401, { 'content-type': 'application/json' })
    const data = { balance: 5050, faxes_today: { sent: 1, received: 0 }, faxes_this_month: { sent: 9, received: 2 } }
    response.end(
      JSON.stringify(good ? { success, message: 'Account status', data } : { success: false, message: 'No' }),
    )
  })

describe('the checks of Phaxio', () => {
  it('pass with an account that answers', async () => {
    const findings = await tryChecks(
      phaxio,
      { ...settings, phaxio_callback_token: 'token' },
      { origin: await account() },
    )
    expect(Object.values(findings)).toEqual(Object.values(findings).map(() => ({ passed: true })))
    expect(Object.keys(findings)).toEqual(
      expect.arrayContaining(['api_key_set', 'api_secret_set', 'callback_url_set', 'public_url_https', 'auth']),
    )
  })

  it('report refused credentials without repeating them', async () => {
    const { auth } = await tryChecks(phaxio, settings, { origin: await account('another') })
    expect(auth).toEqual({ passed: false, detail: 'Phaxio refused the credentials (401).' })
  })

  it('take a success without success for a refusal', async () => {
    const { auth } = await tryChecks(phaxio, settings, { origin: await account('test-secret', false) })
    expect(auth).toEqual({ passed: false, detail: 'Phaxio answered that the account cannot be used.' })
  })

  it('do not ask without credentials', async () => {
    const findings = await tryChecks(phaxio, { phaxio_api_key: 'test-key' })
    expect(findings).toMatchObject({
      api_key_set: { passed: true },
      api_secret_set: { passed: false },
      auth: { passed: false, untried: expect.stringMatching(/^Not run: /) as string },
    })
  })

  it('see that a public URL of this machine is neither HTTPS nor a place to report to', async () => {
    const publicUrl = 'http://localhost:8080'
    expect(await tryChecks(phaxio, {}, { publicUrl })).toMatchObject({
      callback_url_set: { passed: false },
      public_url_https: { passed: false, instead: { hint: expect.stringContaining('this machine alone') as string } },
    })
    const own = { phaxio_status_callback_url: 'https://fax.example.test/phaxio-callback' }
    expect((await tryChecks(phaxio, own, { publicUrl })).callback_url_set).toEqual({ passed: true })
  })

  it('speak of what is fetched only when something is', async () => {
    const publicUrl = 'http://fax.example.test'
    const uploaded = await tryChecks(phaxio, {}, { publicUrl })
    expect(uploaded.public_url_https).toEqual({ passed: false })
    const linked = await tryChecks(phaxio, { phaxio_document: 'link' }, { publicUrl })
    expect(linked.public_url_https?.instead?.hint).toContain('what Phaxio fetches and reports')
  })

  it('want the token beside either switch, and more so while faxes are received', async () => {
    const sending = { use: { receiving: false } }
    expect((await tryChecks(phaxio, {}, sending)).callback_token_set).toEqual({ passed: false })
    expect((await tryChecks(phaxio, {})).callback_token_set).toMatchObject({
      passed: false,
      instead: { severity: 'critical', hint: expect.stringMatching(/^Faxes received through Phaxio are refused/) },
    })
    expect((await tryChecks(phaxio, {})).signature_verification).toEqual({
      passed: false,
      untried: expect.stringMatching(/^Not run: /) as string,
    })
    const inboundOnly = { phaxio_verify_signature: false }
    expect((await tryChecks(phaxio, inboundOnly, sending)).callback_token_set).toEqual({ passed: true })
    const off = { phaxio_verify_signature: false, phaxio_inbound_verify_signature: false }
    expect(await tryChecks(phaxio, off)).toMatchObject({
      callback_token_set: { passed: true },
      signature_verification: { passed: false },
    })
  })
})
