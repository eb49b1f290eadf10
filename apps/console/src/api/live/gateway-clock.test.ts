import { afterEach, describe, expect, it, vi } from 'vitest'
import { gatewayNow, noteClock } from './gateway-clock.ts'
import { watchedFetch } from './reachability.ts'

const browserNow = Date.parse('2026-11-22T12:00:00.700Z')
const dated = (date?: string) => new Response(null, { headers: date ? { date } : {} })
const hour = 3_600_000

afterEach(() => {
  noteClock(dated(new Date().toUTCString()))
})

describe("the gateway's clock", () => {
  it('is followed where the one of this computer is wrong, and only there', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(browserNow)
    vi.stubGlobal('fetch', async () => dated('Sun, 22 Nov 2026 10:00:00 GMT'))
    await watchedFetch('/health')
    expect(gatewayNow()).toBe(browserNow - 2 * hour - 700)
    noteClock(dated())
    noteClock(dated('yesterday'))
    expect(gatewayNow()).toBe(browserNow - 2 * hour - 700)
    noteClock(dated('Sun, 22 Nov 2026 11:59:58 GMT'))
    expect(gatewayNow()).toBe(browserNow)
  })
})
