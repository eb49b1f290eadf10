import { expect, it } from 'vitest'
import { sealsOf } from '../../base/settings/seal.ts'
import { password, signedIn } from '../../testing/browser.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { Devices } from './devices.ts'

const day = 24 * 3_600_000

it('a cookie proves one address, for half a year, and only where it was made', () => {
  const clock = { ms: day }
  const now = () => new Date(clock.ms)
  const devices = new Devices({ seals: sealsOf(Buffer.alloc(32, 1)), now })
  const cookie = devices.cookieWith(undefined, 'jane@clinic.example')
  const id = devices.idOf(cookie, 'jane@clinic.example')
  expect(id).toMatch(/^[0-9a-f]{16}$/)
  expect(devices.idOf(cookie, 'joe@clinic.example')).toBeUndefined()
  expect(cookie).not.toContain('jane')
  const elsewhere = new Devices({ seals: sealsOf(Buffer.alloc(32, 2)), now })
  expect(elsewhere.idOf(cookie, 'jane@clinic.example')).toBeUndefined()
  const changed = cookie.replace(/^[^.]+/, (day * 100).toString(36))
  expect(devices.idOf(changed, 'jane@clinic.example')).toBeUndefined()
  // Both share the browser; signing in again gives no more tries.
  const both = devices.cookieWith(devices.cookieWith(cookie, 'joe@clinic.example'), 'jane@clinic.example')
  expect(devices.idOf(both, 'jane@clinic.example')).toBe(id)
  expect(devices.idOf(both, 'joe@clinic.example')).toBeDefined()
  clock.ms += 181 * day
  expect(devices.idOf(cookie, 'jane@clinic.example')).toBeUndefined()
})

it('strangers lock an account for strangers, not for its person’s browser', { timeout: 60_000 }, async () => {
  const gateway = await startGateway({ env: { ADMIN_ALLOWED_CIDRS: '127.0.0.0/8,10.0.0.0/8' } })
  const { email, browser } = await signedIn(gateway, 'sender')
  const tryFrom = async (remoteAddress: string, typed: string, cookie?: string) => {
    const headers = { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' }
    const answer = await gateway.app.inject({
      method: 'POST',
      url: '/admin/sign-in',
      headers: { ...headers, ...(cookie !== undefined && { cookie }) },
      remoteAddress,
      payload: { email, password: typed },
    })
    return answer.statusCode
  }
  for (let n = 0; n < 30; n++) await tryFrom(`10.0.${n}.1`, 'four words and a full stop')
  expect(await tryFrom('10.1.1.1', password)).toBe(429)
  expect(await tryFrom('10.1.1.1', password, browser.device)).toBe(200)
  expect(browser.device).toMatch(/^faxdeck_device=/)
  const wrong = []
  for (let n = 0; n < 6; n++) wrong.push(await tryFrom('10.1.1.2', 'four words and a full stop', browser.device))
  expect(wrong).toEqual([403, 403, 403, 403, 403, 429])
})
