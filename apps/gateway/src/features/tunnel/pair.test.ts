import { expect, it } from 'vitest'
import { Events } from '../../base/events/events.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { hashCode, newCode, Pairing } from './pair.ts'

onEachDatabase((open, another) => {
  it('a pairing code is kept as a hash, ends after five minutes, and is used up once by two processes', async () => {
    const database = await open()
    const clock = { now: Date.parse('2026-01-01T10:00:00Z') }
    const pairingOn = (at: typeof database) =>
      new Pairing({ database: at, events: new Events(at, () => new Date()), now: () => new Date(clock.now) })
    const here = pairingOn(database)
    const there = pairingOn(await another(database))
    const { code, expires_at } = await here.make('bootstrap')
    expect(expires_at).toBe('2026-01-01T10:05:00.000Z')
    const kept = await database.db.selectFrom('pairing_codes').selectAll().execute()
    expect(kept).toEqual([{ code_sha256: hashCode(code), created_by: 'bootstrap', expires_at, wrong_tries: 0 }])
    clock.now += 5 * 60_000
    await expect(there.redeem(code, null, '10.0.0.1')).rejects.toMatchObject({ code: 'pairing_refused' })
    clock.now -= 1
    const both = await Promise.allSettled([here.redeem(code, 'a', '10.0.0.1'), there.redeem(code, 'b', '10.0.0.2')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('a pairing code ends after fifty wrong tries, from wherever they come', async () => {
    const database = await open()
    const pairing = new Pairing({ database, events: new Events(database, () => new Date()), now: () => new Date() })
    const { code } = await pairing.make('bootstrap')
    for (let n = 0; n < 50; n++) {
      await expect(pairing.redeem(newCode(), null, `10.0.0.${n}`)).rejects.toMatchObject({ status: 403 })
    }
    await expect(pairing.redeem(code, null, '10.0.1.1')).rejects.toMatchObject({ code: 'pairing_refused' })
  })

  it('an address may be wrong ten times in a minute, and a key may ask for ten codes', async () => {
    const database = await open()
    const clock = { now: Date.parse('2026-01-01T10:00:00Z') }
    const pairing = new Pairing({
      database,
      events: new Events(database, () => new Date()),
      now: () => new Date(clock.now),
    })
    for (let n = 0; n < 9; n++) await pairing.make('bootstrap')
    const { code } = await pairing.make('bootstrap')
    await expect(pairing.make('bootstrap')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 })
    for (let n = 0; n < 10; n++) {
      await expect(pairing.redeem('AAAAA-AAAAA', null, '10.0.0.1')).rejects.toMatchObject({ status: 403 })
    }
    await expect(pairing.redeem(code, null, '10.0.0.1')).rejects.toMatchObject({ code: 'rate_limited' })
    clock.now += 60_000
    expect((await pairing.redeem(code, null, '10.0.0.1')).token).toMatch(/^fdk_live_/)
  })

  it('of many wrong codes that come at once from one network, ten are recorded', async () => {
    const database = await open()
    const events = new Events(database, () => new Date())
    const pairing = new Pairing({ database, events, now: () => new Date(0) })
    const tries = Array.from({ length: 30 }, (_, n) => pairing.redeem(newCode(), null, `2001:db8:0:1::${n + 1}`))
    await Promise.allSettled(tries)
    expect(await events.list({ event: 'pairing_refused', limit: 50 })).toHaveLength(10)
    const again = pairing.redeem(newCode(), null, '2001:db8:0:1:ffff::1')
    await expect(again).rejects.toMatchObject({ code: 'rate_limited' })
  })
})
