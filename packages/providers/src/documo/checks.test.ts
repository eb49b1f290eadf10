import { serveHttp, tryChecks } from '@faxdeck/provider-kit/testing/try-checks'
import { describe, expect, it } from 'vitest'
import { documo } from './index.ts'

const key = 'eyJraWQiOiJ0ZXN0In0.eyJrZXkiOjF9.sig'

/** Answers as Documo does: the key as it is after the word Basic. */
const account = () =>
  serveHttp((request, response) => {
    const good = request.headers.authorization === `Basic ${key}` && request.url === '/v1/me'
    response.writeHead(good ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(good ? { uuid: 'u', email: 'a@example.test' } : { error: { message: 'Unauthorized' } }))
  })

describe('the checks of Documo', () => {
  it('pass with a key that is accepted, as it is', async () => {
    const findings = await tryChecks(
      documo,
      { documo_api_key: key },
      { origin: await account(), use: { receiving: false } },
    )
    expect(findings).toEqual({
      api_key_set: { passed: true },
      webhook_password_set: { passed: false },
      auth: { passed: true },
    })
  })

  it('report a refused key', async () => {
    const { auth } = await tryChecks(documo, { documo_api_key: 'another' }, { origin: await account() })
    expect(auth).toEqual({ passed: false, detail: 'Documo refused the credentials (401).' })
  })

  it('ask the sandbox when it is in use', async () => {
    const { auth } = await tryChecks(documo, { documo_api_key: key, documo_use_sandbox: true })
    expect(auth?.detail).toContain('api.sandbox.documo.com')
  })

  it('do not send a key with characters that no key has', async () => {
    const { auth } = await tryChecks(documo, { documo_api_key: 'ключ' }, { origin: await account() })
    expect(auth).toEqual({
      passed: false,
      detail: 'Documo was not contacted: the credentials contain characters that can’t be sent.',
    })
  })
})
