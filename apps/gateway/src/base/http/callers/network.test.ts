import { expect, it } from 'vitest'
import { senderOf } from './network.ts'

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['unknown', 'unknown'],
])('the sender behind %s is %s', (address, sender) => {
  expect(senderOf(address)).toBe(sender)
})
