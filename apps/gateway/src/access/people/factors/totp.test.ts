import { describe, expect, it } from 'vitest'
import { base32, findStep, newTotpSecret, stepAt, totpCode, totpUri } from './totp.ts'

/** Of RFC 6238, appendix B, and RFC 4226, appendix D. */
const secret = base32(Buffer.from('12345678901234567890'))
const at = (seconds: number) => new Date(seconds * 1000)

describe('a code of an authenticator app', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('is that of RFC 6238 at %i s', (seconds, code) => {
    expect(totpCode(secret, stepAt(at(seconds)), 8)).toBe(code)
  })

  it.each(['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'])(
    'is that of RFC 4226: %s',
    (code) => {
      const counters = Array.from({ length: 10 }, (_, counter) => totpCode(secret, counter))
      expect(counters).toContain(code)
    },
  )

  it('counts one step early and late, and no further', () => {
    const now = at(1_234_567_890)
    const step = stepAt(now)
    const found = [-2, -1, 0, 1, 2].map((by) => findStep(secret, totpCode(secret, step + by), now))
    expect(found).toEqual([undefined, step - 1, step, step + 1, undefined])
  })

  it('counts neither again nor after a later one', () => {
    const now = at(1_234_567_890)
    const step = stepAt(now)
    expect(findStep(secret, totpCode(secret, step), now, step)).toBeUndefined()
    expect(findStep(secret, totpCode(secret, step - 1), now, step)).toBeUndefined()
    expect(findStep(secret, totpCode(secret, step + 1), now, step)).toBe(step + 1)
  })

  it('is nothing but six digits', () => {
    const now = at(0)
    for (const typed of ['', '75522', '7552244', 'abcdef', '७५५२२४', '      '])
      expect(findStep(secret, typed, now)).toBeUndefined()
  })
})

describe('a secret', () => {
  it('is base32 as RFC 4648 writes it', () => {
    const written = ['f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text)))
    expect(written).toEqual(['MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'])
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  })

  it('is handed to apps with whose it is', () => {
    const uri = new URL(totpUri(secret, 'jane+fax@clinic.example', 'Faxdeck (fax.clinic.lan)'))
    expect(decodeURIComponent(uri.pathname)).toBe('/Faxdeck (fax.clinic.lan):jane+fax@clinic.example')
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret,
      issuer: 'Faxdeck (fax.clinic.lan)',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
