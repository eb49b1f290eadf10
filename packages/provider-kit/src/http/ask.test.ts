import { describe, expect, it } from 'vitest'
import { askProvider, basicAuthorization, fieldOf } from './ask.ts'
import type { Host } from '../provider.ts'

const asking = (fetch: Host['fetch'], authorization = basicAuthorization('key', 's3cret-value')) =>
  askProvider(
    { name: 'Acme', url: 'https://api.acme.test/me', authorization },
    { fetch } as Host,
    AbortSignal.timeout(5000),
  )
const failing = (error: Error) => asking(() => Promise.reject(error))

const answer = { status: 200, isPage: false, leadsTo: undefined }

describe('asking a provider', () => {
  it('keeps what failed to a plain reason, never the words of the error', async () => {
    const leak = new TypeError('"Basic s3cret-value" is an invalid header value.')
    const answered = await failing(leak)
    expect(answered).toEqual({
      problem: 'Acme cannot be reached at api.acme.test: the connection failed.',
      why: 'other',
    })
  })

  it.each([
    ['ENOTFOUND', 'unknown_host', 'the host name does not exist'],
    ['ECONNREFUSED', 'refused', 'nothing listens there'],
    ['CERT_HAS_EXPIRED', 'cert_date', 'its certificate has expired'],
    ['FETCH_REFUSED', 'blocked', 'the gateway does not connect to the address behind that name'],
    ['ANSWER_TOO_LARGE', 'other', 'the answer is larger than 50 MB'],
  ])('finds the reason of %s behind a failed fetch', async (code, why, words) => {
    const cause = Object.assign(new Error('low down'), { code })
    expect(await failing(new TypeError('fetch failed', { cause }))).toEqual({
      problem: `Acme cannot be reached at api.acme.test: ${words}.`,
      why,
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
      expect(answered).toEqual({
        problem: 'Acme was not contacted: the credentials contain characters that can’t be sent.',
        why: 'unsayable',
      })
      expect(asked).toBe(false)
    },
  )

  it('reads fields of objects only', async () => {
    const html = await asking(() => Promise.resolve(new Response('<html>')))
    expect(fieldOf(html, 'success')).toBeUndefined()
    expect(fieldOf({ ...answer, body: { success: true } }, 'success')).toBe(true)
    expect(fieldOf({ ...answer, body: null }, 'success')).toBeUndefined()
  })
})
