import { isIP } from 'node:net'
import { describe, expect, it } from 'vitest'
import { addressRanges, hostNames } from './checks.ts'

const addresses =
  '127.0.0.1 0.0.0.0 255.255.255.255 256.1.1.1 1.2.3 1.2.3.4.5 1.2.3.4. 1..2.3 ::1 :: fe80::1 2001:db8::ff00:42:8329 ' +
  '1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:8:9 ::ffff:10.0.0.1 ::ffff:10.0.0.256 1::2::3 :1 g::1 abc 12 : 1:2'

describe('addresses and networks', () => {
  it.each(addresses.split(' '))('takes %s as Node does', (address) => {
    expect(addressRanges(address) === undefined).toBe(isIP(address) !== 0)
  })

  it('takes prefixes that fit the version of the address', () => {
    expect(addressRanges('10.0.0.0/8, 192.168.1.7/32, fd00::/8, ::1/128')).toBeUndefined()
    for (const wrong of ['10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/8/8', '/8'])
      expect(addressRanges(wrong)).toContain(`"${wrong}"`)
  })

  it('takes host names and addresses, without scheme and port', () => {
    expect(hostNames('fax.clinic.lan, localhost, 10.0.0.1, ::1')).toBeUndefined()
    for (const wrong of ['https://fax.lan', 'fax.lan:8080', 'a b']) expect(hostNames(wrong)).toContain(`"${wrong}"`)
  })
})
