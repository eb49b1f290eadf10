import { describe, expect, it, vi } from 'vitest'
import type { Caller } from '../../base/http/handler.ts'
import { holderOf } from '../../base/http/callers/keys.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { createLogins } from './logins.ts'

const minute = 60_000
const caller = (keyId: string, address = '127.0.0.1'): Caller => ({
  ...holderOf(keyId, new Set()),
  address,
})

function counting() {
  const clock = { ms: 0 }
  const loginSucceeded = vi.fn(async () => undefined)
  const log = { error: vi.fn() }
  const logins = createLogins({ events: { loginSucceeded }, now: () => new Date(clock.ms), log })
  return { clock, loginSucceeded, log, ...logins }
}

describe('a login to the console', () => {
  it('is recorded once, however often the console asks, and again after half an hour away', async () => {
    const { clock, loginSucceeded, enter, stay } = counting()
    await Promise.all([enter(caller('a')), enter(caller('a'))])
    for (let n = 0; n < 4; n += 1) {
      clock.ms += 20 * minute
      stay(caller('a'))
    }
    clock.ms += 20 * minute
    await enter(caller('a'))
    expect(loginSucceeded.mock.calls).toEqual([[{ path: '/admin/config', key_id: 'a', address: '127.0.0.1' }]])
    clock.ms += 30 * minute
    stay(caller('a'))
    await enter(caller('a'))
    expect(loginSucceeded).toHaveBeenCalledTimes(2)
  })

  it('is one for each key and each address, also of more than are remembered', async () => {
    const { loginSucceeded, enter } = counting()
    await enter(caller('a'))
    await enter(caller('a', '10.0.0.2'))
    for (let n = 0; n < 1500; n += 1) await enter(caller(`k${n}`))
    expect(loginSucceeded).toHaveBeenCalledTimes(1502)
    await enter(caller('k1499'))
    expect(loginSucceeded).toHaveBeenCalledTimes(1502)
  })

  it('succeeds also when it cannot be recorded, and is recorded as soon as it can', async () => {
    const { loginSucceeded, log, enter } = counting()
    loginSucceeded.mockRejectedValueOnce(new Error('The disk is full.'))
    await enter(caller('a'))
    expect(log.error).toHaveBeenCalledOnce()
    await enter(caller('a'))
    expect(loginSucceeded).toHaveBeenCalledTimes(2)
  })

  it('stands in the audit trail with its key and address; calls of programs do not', async () => {
    const { client } = await startGateway()
    await client.listApiKeys({})
    await client.getConfig({})
    await client.getHealthStatus({})
    await client.getConfig({})
    const { items } = await client.listLogs({ query: { event: 'login_succeeded' } })
    expect(items).toEqual([
      expect.objectContaining({ event: 'login_succeeded', path: '/admin/config', address: '127.0.0.1' }),
    ])
    expect(items[0]?.key_id).toBeTypeOf('string')
  })
})
