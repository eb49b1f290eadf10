import { describe, expect, it } from 'vitest'
import { Problem } from '../../base/http/answers/problem.ts'
import { decide, SignInThrottle } from './throttle.ts'

function throttled() {
  const clock = { ms: 0 }
  const throttle = new SignInThrottle(() => new Date(clock.ms))
  const tries = (emailKey: string, address: string, device?: string) => throttle.begin({ emailKey, address, device })
  const fail = (email: string, address: string, times = 1) => {
    for (let n = 0; n < times; n++) tries(email, address)
  }
  return { clock, tries, fail }
}

describe('whoever guesses passwords', () => {
  it('waits after five failures for a person from an address, while others sign in', () => {
    const { clock, tries, fail } = throttled()
    fail('jane', '10.0.0.1', 5)
    expect(() => tries('jane', '10.0.0.1')).toThrow('Too many failed sign-ins. Try again in 15 min.')
    expect(() => tries('jane', '10.0.0.2')).not.toThrow()
    expect(() => tries('joe', '10.0.0.1')).not.toThrow()
    clock.ms += 15 * 60_000
    expect(() => tries('jane', '10.0.0.1')).not.toThrow()
  })

  it('waits after thirty failures for one person from many addresses, or for many from one', () => {
    const { tries, fail } = throttled()
    for (let n = 0; n < 30; n++) fail('jane', `10.0.1.${n}`)
    expect(() => tries('jane', '10.9.9.9')).toThrow('Too many')
    for (let n = 0; n < 30; n++) fail(`person ${n}`, '10.0.0.3')
    expect(() => tries('somebody', '10.0.0.3')).toThrow('Too many')
  })

  it('is forgiven nothing by a try that was begun a quarter of an hour before', () => {
    const { clock, tries, fail } = throttled()
    const slow = tries('jane', '10.0.0.1')
    clock.ms += 15 * 60_000
    fail('jane', '10.0.0.1', 5)
    slow.withdraw()
    expect(() => tries('jane', '10.0.0.1')).toThrow('Too many')
  })

  it('does not count what succeeds', () => {
    const { tries } = throttled()
    for (let n = 0; n < 100; n++) tries('jane', '10.0.0.1').succeeded()
    expect(() => tries('jane', '10.0.0.1')).not.toThrow()
  })

  it('locks nobody out of a browser or an address that they have signed in from, and gets no more tries there', () => {
    const { tries, fail } = throttled()
    tries('jane', '10.0.0.1').succeeded()
    for (let n = 0; n < 30; n++) fail('jane', `10.0.1.${n}`)
    expect(() => tries('jane', '10.9.9.9')).toThrow('Too many')
    expect(() => tries('jane', '10.9.9.9', 'laptop').withdraw()).not.toThrow()
    expect(() => tries('jane', '10.0.0.1').withdraw()).not.toThrow()
    // Nor does that address tell whether somebody else is locked, or exists.
    for (let n = 0; n < 30; n++) fail('nobody', `10.0.2.${n}`)
    expect(() => tries('nobody', '10.0.0.1').withdraw()).not.toThrow()
    for (let n = 0; n < 5; n++) tries('jane', '10.9.9.9', 'laptop')
    expect(() => tries('jane', '10.9.9.9', 'laptop')).toThrow('Too many')
    fail('jane', '10.0.0.1', 5)
    expect(() => tries('jane', '10.0.0.1')).toThrow('Too many')
  })

  it('is remembered however many names others try', () => {
    const { tries, fail } = throttled()
    for (let n = 0; n < 30; n++) fail('jane', `10.0.1.${n}`)
    for (let n = 0; n < 20_000; n++) fail(`person ${n}`, `10.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`)
    expect(() => tries('jane', '10.9.9.9')).toThrow('Too many')
  })

  it('is not blamed for what could not be decided, and stays blamed for what was wrong before', async () => {
    const { tries, fail } = throttled()
    fail('jane', '10.0.0.1', 4)
    const busy = () => Promise.reject(new Problem('unavailable'))
    for (let n = 0; n < 10; n++) {
      await expect(decide(tries('jane', '10.0.0.1'), busy)).rejects.toThrow()
    }
    const wrong = () => Promise.reject(new Problem('sign_in_refused'))
    await expect(decide(tries('jane', '10.0.0.1'), wrong)).rejects.toThrow()
    expect(() => tries('jane', '10.0.0.1')).toThrow('Too many')
  })
})
