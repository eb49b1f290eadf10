import { serveHttp, tryChecks } from '@faxdeck/provider-kit/testing/try-checks'
import { describe, expect, it } from 'vitest'
import { signalwire } from './index.ts'

const project = '11111111-1111-4111-8111-111111111111'
const settings = {
  signalwire_space_url: 'example.signalwire.com',
  signalwire_project_id: project,
  signalwire_api_token: 'token',
  signalwire_fax_from_e164: '+15551234567',
}

/** Answers as SignalWire answers `GET Accounts/{sid}`. */
const account = () =>
  serveHttp((request, response) => {
    const good = request.headers.authorization === `Basic ${Buffer.from(`${project}:token`).toString('base64')}`
    const right = request.url === `/api/laml/2010-04-01/Accounts/${project}`
    const status = !good ? 401 : right ? 200 : 404
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(good ? { sid: project, status: 'active' } : { code: 20003, message: 'Authenticate', status }),
    )
  })

describe('the checks of SignalWire', () => {
  it('pass with a project that answers', async () => {
    const findings = await tryChecks(
      signalwire,
      { ...settings, signalwire_webhook_signing_key: 'key' },
      { origin: await account() },
    )
    expect(Object.values(findings)).toEqual(Object.values(findings).map(() => ({ passed: true })))
  })

  it('report a refused token', async () => {
    const findings = await tryChecks(
      signalwire,
      { ...settings, signalwire_api_token: 'old' },
      { origin: await account() },
    )
    expect(findings.auth).toEqual({ passed: false, detail: 'SignalWire refused the credentials (401).' })
    expect(findings.signing_key_set).toMatchObject({ passed: false, instead: { severity: 'critical' } })
  })

  it('say that the space cannot be found', async () => {
    expect((await tryChecks(signalwire, settings)).auth).toMatchObject({
      passed: false,
      detail: 'SignalWire cannot be reached at example.signalwire.com: the connection failed.',
      instead: { hint: expect.stringMatching(/^The connection to SignalWire failed/), setting: 'signalwire_space_url' },
    })
  })
})
