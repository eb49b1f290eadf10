import { ProviderProblem } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { Breakers } from './breakers.ts'

const start = Date.parse('2026-03-01T12:00:00.000Z')
const second = 1000

function made(after = 3) {
  const clock = { ms: start, setBy: 0 }
  const settings = () => ({ pause_after_failures: after, pause_first_seconds: 30 })
  const now = () => new Date(clock.ms + clock.setBy)
  const breakers = new Breakers({ settings, now, elapsed: () => clock.ms })
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) breakers.take('acme')?.failed()
  }
  return { breakers, fail, pass: (ms: number) => (clock.ms += ms), setClock: (ms: number) => (clock.setBy = ms) }
}

describe('a breaker', () => {
  it('is closed until so many faxes in a row could not be handed over', () => {
    const { breakers, fail } = made()
    fail(2)
    breakers.take('acme')?.reached()
    fail(2)
    expect([breakers.toBegin('acme'), breakers.downSince('acme')]).toEqual([Infinity, undefined])
    fail(1)
    expect(breakers.take('acme')).toBeUndefined()
    expect(breakers.toBegin('acme')).toBe(0)
    expect(breakers.pausedUntil('acme')).toEqual(new Date(start + 30 * second))
    expect(breakers.downSince('acme')).toEqual(new Date(start))
    expect(breakers.toBegin('another')).toBe(Infinity)
  })

  it('lets a single fax through when the pause is over, and closes when that was answered', () => {
    const { breakers, fail, pass } = made()
    fail(3)
    pass(30 * second)
    expect(breakers.toBegin('acme')).toBe(1)
    const probe = breakers.take('acme')
    expect(probe).toBeDefined()
    expect([breakers.take('acme'), breakers.toBegin('acme')]).toEqual([undefined, 0])
    probe?.reached()
    expect([breakers.toBegin('acme'), breakers.downSince('acme')]).toEqual([Infinity, undefined])
  })

  it.each([
    ['it could not be reached', 30],
    ['it asked for fewer faxes', 20],
  ])('pauses no longer and no shorter because the clock is set, when %s', (why, seconds) => {
    const { breakers, fail, pass, setClock } = made()
    setClock(660 * second)
    if (seconds === 30) fail(3)
    else breakers.take('acme')?.askedToWait(seconds)
    setClock(0)
    expect([breakers.toBegin('acme'), why]).toEqual([0, why])
    expect(breakers.pausedUntil('acme')).toEqual(new Date(start + seconds * second))
    setClock(-660 * second)
    pass(seconds * second)
    expect(breakers.toBegin('acme')).toBe(1)
    expect(breakers.quietUntil('acme')).toBeUndefined()
  })

  it('opens again for twice as long when it was not, ten minutes at most, and remembers since when', () => {
    const { breakers, fail, pass } = made()
    fail(3)
    let at = start + 30 * second
    pass(30 * second)
    for (const seconds of [60, 120, 240, 480, 600, 600]) {
      breakers.take('acme')?.failed()
      expect(breakers.pausedUntil('acme')).toEqual(new Date(at + seconds * second))
      at = pass(seconds * second)
    }
    expect(breakers.downSince('acme')).toEqual(new Date(start))
  })

  it('lets another fax probe when the first was not handed over for reasons of its own', () => {
    const { breakers, fail, pass } = made()
    fail(3)
    pass(30 * second)
    const probe = breakers.take('acme')
    probe?.giveBack()
    probe?.failed()
    expect(breakers.toBegin('acme')).toBe(1)
  })

  it('does not pause longer for faxes that were under way when it opened', () => {
    const { breakers, fail } = made()
    const late = [breakers.take('acme'), breakers.take('acme')]
    fail(3)
    late.forEach((each) => each?.failed())
    expect(breakers.pausedUntil('acme')).toEqual(new Date(start + 30 * second))
  })

  it('closes when one that was under way is answered after all', () => {
    const { breakers, fail } = made()
    const late = breakers.take('acme')
    fail(3)
    late?.reached()
    expect(breakers.toBegin('acme')).toBe(Infinity)
  })

  it('opens at the first refusal of our credentials, and lets one fax at a time find out whether they work', () => {
    const { breakers, pass } = made()
    const late = breakers.take('acme')
    breakers.take('acme')?.refused()
    expect(breakers.pauseOf('acme')).toEqual({
      reason: 'credentials',
      since: new Date(start),
      until: new Date(start + 30 * second),
    })
    late?.refused()
    pass(30 * second)
    breakers.take('acme')?.refused()
    expect(breakers.pausedUntil('acme')).toEqual(new Date(start + 90 * second))
    pass(60 * second)
    expect(breakers.toBegin('acme')).toBe(1)
    breakers.take('acme')?.reached()
    expect(breakers.pauseOf('acme')).toBeUndefined()
  })

  it('is forgotten with the settings under which the credentials were refused', () => {
    const { breakers } = made()
    breakers.take('acme')?.refused()
    breakers.forget('acme')
    expect(breakers.toBegin('acme')).toBe(Infinity)
  })

  it('stays shut until the time that the provider named, whatever was under way ends like', () => {
    const { breakers, pass } = made()
    const [early, late] = [breakers.take('acme'), breakers.take('acme')]
    breakers.take('acme')?.askedToWait(10)
    early?.reached()
    late?.askedToWait(20)
    expect(breakers.take('acme')).toBeUndefined()
    expect(breakers.pausedUntil('acme')).toEqual(new Date(start + 20 * second))
    expect(breakers.downSince('acme')).toBeUndefined()
    pass(20 * second)
    expect(breakers.pauseOf('acme')).toBeUndefined()
    const probe = breakers.take('acme')
    expect(breakers.take('acme')).toBeUndefined()
    probe?.reached()
    expect(breakers.toBegin('acme')).toBe(Infinity)
  })

  it('waits an hour at most, and as after a failure when no time was named', () => {
    const { breakers, pass } = made()
    breakers.take('acme')?.askedToWait(1_000_000)
    expect(breakers.pausedUntil('acme')).toEqual(new Date(start + 3600 * second))
    breakers.take('other')?.askedToWait(undefined)
    expect(breakers.pausedUntil('other')).toEqual(new Date(start + 30 * second))
    pass(30 * second)
    breakers.take('other')?.askedToWait(undefined)
    expect(breakers.pausedUntil('other')).toEqual(new Date(start + 90 * second))
  })

  it('that cannot be reached stays so, whatever a fax that was under way was asked', () => {
    const { breakers, fail } = made()
    const late = breakers.take('acme')
    fail(3)
    late?.askedToWait(600)
    expect(breakers.pauseOf('acme')).toMatchObject({ reason: 'unreachable', until: new Date(start + 30 * second) })
  })

  it('heeds the later of the times that were named to questions, until the settings are others', () => {
    const { breakers } = made()
    for (const seconds of [600, 10]) breakers.heed('acme', new ProviderProblem('rate_limited', 'Wait.', seconds))
    breakers.heed('acme', new ProviderProblem('unreachable', 'Nothing listens there.', 900))
    expect(breakers.quietUntil('acme')).toEqual(new Date(start + 600 * second))
    breakers.forget('acme')
    expect(breakers.quietUntil('acme')).toBeUndefined()
  })

  it('never opens when it is switched off', () => {
    const { breakers, fail } = made(0)
    fail(100)
    expect(breakers.toBegin('acme')).toBe(Infinity)
  })
})
