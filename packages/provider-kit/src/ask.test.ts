import { describe, expect, it } from 'vitest'
import { acceptedBy, askProvider, basicAuthorization, fieldOf } from './ask.ts'
import type { Host } from './provider.ts'

const asking = (fetch: Host['fetch'], authorization = basicAuthorization('key', 's3cret-value')) =>
  askProvider(
    { name: 'Acme', url: 'https://api.acme.test/me', authorization },
    { fetch } as Host,
    AbortSignal.timeout(5000),
  )
const failing = (error: Error) => asking(() => Promise.reject(error))

describe('asking a provider', () => {
  it('keeps what failed to a plain reason, never the words of the error', async () => {
    const leak = new TypeError('"Basic s3cret-value" is an invalid header value.')
    const answered = await failing(leak)
    expect(answered).toEqual({
      trouble: 'Acme cannot be reached at api.acme.test: the connection failed.',
      asked: true,
    })
  })

  it.each([
    ['ENOTFOUND', 'there is no such host name'],
    ['ECONNREFUSED', 'nothing listens there'],
    ['CERT_HAS_EXPIRED', 'its certificate has expired'],
    ['FETCH_REFUSED', 'the gateway does not connect to the address behind that name'],
  ])('finds the reason of %s behind a failed fetch', async (code, words) => {
    const cause = Object.assign(new Error('low down'), { code })
    expect(await failing(new TypeError('fetch failed', { cause }))).toEqual({
      trouble: `Acme cannot be reached at api.acme.test: ${words}.`,
      asked: true,
    })
  })

  it.each(['Basic clé\u0142', 'Basic a\r\nX-Evil: 1'])(
    'does not send a credential that no header can hold',
    async (bad) => {
      let asked = false
      const answered = await asking(() => {
        asked = true
        return Promise.reject(new Error())
      }, bad)
      expect(answered).toEqual({ trouble: 'Acme was not asked: no credential has such characters.', asked: false })
      expect(asked).toBe(false)
    },
  )

  it('takes 2xx alone for a yes', () => {
    const passed = [200, 204, 301, 401, 403, 404, 429, 500].filter(
      (status) => acceptedBy('Acme', { status, body: undefined }).passed,
    )
    expect(passed).toEqual([200, 204])
  })

  it('takes silence and trouble on the other side for no verdict about the account', () => {
    const silence = acceptedBy('Acme', { trouble: 'Acme cannot be reached.', asked: true })
    expect(silence.instead?.hint).toMatch(/^Acme did not say whether it accepts the account/)
    const verdicts = [401, 403, 404, 429, 500, 503].filter(
      (status) => acceptedBy('Acme', { status, body: undefined }).instead === undefined,
    )
    expect(verdicts).toEqual([401, 403, 404])
    expect(acceptedBy('Acme', { trouble: 'It was not asked.', asked: false }).instead).toBeUndefined()
  })

  it('reads fields of objects only', async () => {
    const html = await asking(() => Promise.resolve(new Response('<html>')))
    expect(fieldOf(html, 'success')).toBeUndefined()
    expect(fieldOf({ status: 200, body: { success: true } }, 'success')).toBe(true)
    expect(fieldOf({ status: 200, body: null }, 'success')).toBeUndefined()
  })
})
