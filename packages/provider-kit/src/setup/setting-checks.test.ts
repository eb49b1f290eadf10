import { describe, expect, it } from 'vitest'
import { checkE164, checkHost, checkWebAddress } from './setting-checks.ts'

describe('checkE164', () => {
  it.each(['+15551234567', '+4930123456', '+123456789012345'])('takes %s', (number) => {
    expect(checkE164(number)).toBeUndefined()
  })
  it.each(['15551234567', '+05551234567', '+1 555 1234567', '+1234567890123456', '', '+1555123456x'])(
    'refuses "%s"',
    (number) => {
      expect(checkE164(number)).toContain('E.164')
    },
  )
})

describe('checkHost', () => {
  it.each(['asterisk', '127.0.0.1', 'example.signalwire.com', '::1', 'fe80::1'])('takes %s', (host) => {
    expect(checkHost(host)).toBeUndefined()
  })
  it.each(['https://example.com', 'example.com/', 'example.com:5038', 'a b', '-a.com', '', 'a\r\nAction: Logoff'])(
    'refuses "%s"',
    (host) => {
      expect(checkHost(host)).toContain('host name')
    },
  )
})

describe('checkWebAddress', () => {
  it.each(['https://fax.api.sinch.com/v3', 'http://127.0.0.1:9000', 'http://localhost/x', 'http://[::1]:1/'])(
    'takes %s',
    (address) => {
      expect(checkWebAddress(address)).toBeUndefined()
    },
  )
  it('refuses to send credentials in the clear to another machine', () => {
    expect(checkWebAddress('http://fax.example.com')).toContain('https://')
    expect(checkWebAddress('http://127.0.0.1.example.com')).toContain('https://')
  })
  it('refuses credentials in the address, and text that is no address', () => {
    expect(checkWebAddress('https://me:secret@fax.example.com')).toContain('password')
    expect(checkWebAddress('fax.example.com')).toContain('in full')
  })
})
