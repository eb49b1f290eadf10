import { serveHttp, tryChecks } from '@faxdeck/provider-kit/testing/try-checks'
import { describe, expect, it } from 'vitest'
import { sinch } from './index.ts'

const settings = { sinch_project_id: 'p-1', sinch_api_key: 'key-id', sinch_api_secret: 'key-secret' }
const basic = `Basic ${Buffer.from('key-id:key-secret').toString('base64')}`

/** Answers as Sinch does: a token endpoint and `GET services`, 401 with an empty body, 404 for another project. */
function sinchServer({ tokens = 200, asked = [] as string[] } = {}) {
  return serveHttp((request, response, body) => {
    asked.push(`${request.method} ${request.url}`)
    const { authorization } = request.headers
    if (request.url === '/oauth2/token') {
      const good = authorization === basic && body === 'grant_type=client_credentials' && tokens === 200
      response.writeHead(good ? 200 : 401, { 'content-type': 'application/json' })
      return response.end(good ? '{"access_token":"granted","token_type":"bearer","expires_in":3600}' : '')
    }
    if (authorization !== basic && authorization !== 'Bearer granted') return response.writeHead(401).end()
    if (request.url !== '/v3/projects/p-1/services?pageSize=1') {
      response.writeHead(404, { 'content-type': 'application/json' })
      return response.end('{"code":"404","error":"Not found","message":"no such project"}')
    }
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{"services":[],"pageSize":1}')
  })
}

describe('the checks of Sinch', () => {
  it.each(['basic', 'oauth'])('pass with a project that answers to %s', async (sinch_auth_method) => {
    const asked: string[] = []
    const findings = await tryChecks(
      sinch,
      { ...settings, sinch_auth_method, sinch_inbound_basic_pass: 'p' },
      { origin: await sinchServer({ asked }) },
    )
    expect(Object.keys(findings)).toEqual(
      expect.arrayContaining(['auth_present', 'project_id_set', 'api_key_set', 'api_secret_set', 'auth', 'auth_valid']),
    )
    expect(Object.values(findings)).toEqual(Object.values(findings).map(() => ({ passed: true })))
    expect(asked.includes('POST /oauth2/token')).toBe(sinch_auth_method === 'oauth')
  })

  it('tell a wrong project from a wrong key', async () => {
    const origin = await sinchServer()
    expect(await tryChecks(sinch, { ...settings, sinch_project_id: 'p-2' }, { origin })).toMatchObject({
      auth: { passed: true },
      auth_valid: { passed: false, detail: 'Sinch answered with the status 404.' },
    })
    expect(await tryChecks(sinch, { ...settings, sinch_api_secret: 'wrong' }, { origin })).toMatchObject({
      auth: { passed: false, detail: 'Sinch refused the credentials (401).' },
      auth_valid: { passed: false, untried: 'Not run: Sinch refused the access key.' },
    })
  })

  it('do not ask the project when no token was granted', async () => {
    const asked: string[] = []
    const origin = await sinchServer({ tokens: 401, asked })
    const findings = await tryChecks(sinch, { ...settings, sinch_auth_method: 'oauth' }, { origin })
    expect(findings).toMatchObject({
      auth: { passed: false, detail: 'Sinch refused the credentials (401).' },
      auth_valid: { passed: false, untried: 'Not run: Sinch refused the access key.' },
    })
    expect(asked.some((line) => line.includes('services'))).toBe(false)
  })

  it('keep a project id from leaving its place in the address', async () => {
    const asked: string[] = []
    await tryChecks(sinch, { ...settings, sinch_project_id: '../x?y' }, { origin: await sinchServer({ asked }) })
    expect(new Set(asked)).toEqual(new Set(['GET /v3/projects/..%2Fx%3Fy/services?pageSize=1']))
  })

  it('do not ask before the credentials are complete', async () => {
    expect(await tryChecks(sinch, { sinch_project_id: 'p-1' })).toMatchObject({
      auth_present: { passed: false },
      project_id_set: { passed: true },
      auth: { passed: false, untried: expect.stringMatching(/^Not run: /) as string },
      auth_valid: { passed: false, untried: expect.stringMatching(/^Not run: /) as string },
    })
  })
})
