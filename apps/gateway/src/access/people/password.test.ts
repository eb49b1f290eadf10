import { describe, expect, it } from 'vitest'
import { assertStrong, hashPassword, isPassword } from './password.ts'

const jane = { name: 'Jane Doe', email: 'jane.doe@clinic.example' }

describe('a password', () => {
  it('is kept as an argon2id hash that fits it, however it is typed, and nothing else', async () => {
    const hash = await hashPassword('Überraschung im Café')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await isPassword('Überraschung im Café'.normalize('NFD'), hash)).toBe(true)
    expect(await isPassword('Überraschung im Cafe', hash)).toBe(false)
    expect(await hashPassword('Überraschung im Café')).not.toBe(hash)
  })

  // RFC 9106 has no vector without secret and associated data; this one is of the reference implementation's test.c.
  it('is hashed as the reference implementation does', async () => {
    const given = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await isPassword('password', given)).toBe(true)
    expect(await isPassword('Password', given)).toBe(false)
  })

  it('is never right where there is none', async () => {
    expect(await isPassword('', null)).toBe(false)
    expect(await isPassword('anything at all', null)).toBe(false)
  })

  it.each([
    ['eleven char', 'at least 12'],
    ['Password1234', 'first that attackers try'],
    ['ababababababab', 'first that attackers try'],
    ['jane.doe-2026', 'mostly your name'],
    ['Faxdeck12345', 'mostly your name'],
    ['jane.doe@clinic.example', 'mostly your name'],
  ])('such as %s is refused', (password, reason) => {
    expect(() => assertStrong(password, jane)).toThrow(reason)
  })

  it('is no address in which the name of its person occurs', () => {
    const clinic = { name: 'Clinic', email: 'desk@clinic.example' }
    expect(() => assertStrong('desk@clinic.example', clinic)).toThrow('mostly your name')
  })

  it('of several words is good', () => {
    expect(() => assertStrong('four words and a comma', jane)).not.toThrow()
  })

  it('is not compared for more callers at once than memory allows', async () => {
    const all = await Promise.allSettled(Array.from({ length: 40 }, () => isPassword('x', null)))
    const refused = all.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(6)
    expect(await isPassword('x', null)).toBe(false)
  })
})
