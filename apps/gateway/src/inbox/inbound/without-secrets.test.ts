import { expect, it } from 'vitest'
import { withoutSecrets } from './receive.ts'

it.each([
  ['{"id":"1","to":"+1555"}', '{"id":"1","to":"+1555"}'],
  ['{"callbackUrl":"https://sinch:word@fax.test/x"}', '{"callbackUrl":"https://[removed]@fax.test/x"}'],
  ['{"fax":{"accessToken":"a\\"b","id":1}}', '{"fax":{"accessToken":"[removed]","id":1}}'],
  ['FaxSid=1&ApiKey=abc&To=2', 'FaxSid=1&ApiKey=[removed]&To=2'],
  ['note=my%20secret%2Fvalue;my secret/value', 'note=[removed];[removed]'],
])('a notice %s is kept as %s', (notice, kept) => {
  expect(withoutSecrets(notice, ['my secret/value', 'id', null])).toBe(kept)
})
