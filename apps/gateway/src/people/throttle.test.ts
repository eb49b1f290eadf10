import { describe, expect, it } from 'vitest'
import { Problem } from '../http/answers/problem.ts'
import { decide, SignInThrottle } from './throttle.ts'

function throttled() {
  const clock = { ms: 0 }
  const throttle = new SignInThrottle(() => new Date(clock.ms))
  const fail = (email: string, address: string, times = 1) => {
    for (let n = 0; n < times; n++) throttle.begin(email, address)
  }
  return { clock, throttle, fail }
}

describe('whoever guesses passwords', () => {
  it('waits after five failures for a person from an address, while others sign in', () => {
    const { clock, throttle, fail } = throttled()
    fail('jane', '10.0.0.1', 5)
    expect(() => throttle.begin('jane', '10.0.0.1')).toThrow('Too many failed sign-ins. Try again in 15 min.')
    expect(() => throttle.begin('jane', '10.0.0.2')).not.toThrow()
    expect(() => throttle.begin('joe', '10.0.0.1')).not.toThrow()
    clock.ms += 15 * 60_000
    expect(() => throttle.begin('jane', '10.0.0.1')).not.toThrow()
  })

  it('waits after thirty failures for one person from many addresses, or for many from one', () => {
    const { throttle, fail } = throttled()
    for (let n = 0; n < 30; n++) fail('jane', `10.0.1.${n}`)
    expect(() => throttle.begin('jane', '10.9.9.9')).toThrow('Too many')
    for (let n = 0; n < 30; n++) fail(`person ${n}`, '10.0.0.3')
    expect(() => throttle.begin('somebody', '10.0.0.3')).toThrow('Too many')
  })

  it('does not count what succeeds', () => {
    const { throttle } = throttled()
    for (let n = 0; n < 100; n++) throttle.begin('jane', '10.0.0.1').succeeded()
    expect(() => throttle.begin('jane', '10.0.0.1')).not.toThrow()
  })

  it('is remembered however many names others try', () => {
    const { throttle, fail } = throttled()
    for (let n = 0; n < 30; n++) fail('jane', `10.0.1.${n}`)
    for (let n = 0; n < 20_000; n++) fail(`person ${n}`, `10.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`)
    expect(() => throttle.begin('jane', '10.9.9.9')).toThrow('Too many')
  })

  it('is not blamed for what could not be decided, and stays blamed for what was wrong before', async () => {
    const { throttle, fail } = throttled()
    fail('jane', '10.0.0.1', 4)
    const busy = () => Promise.reject(new Problem('unavailable'))
    for (let n = 0; n < 10; n++) {
      await expect(decide(throttle.begin('jane', '10.0.0.1'), busy)).rejects.toThrow()
    }
    const wrong = () => Promise.reject(new Problem('sign_in_refused'))
    await expect(decide(throttle.begin('jane', '10.0.0.1'), wrong)).rejects.toThrow()
    expect(() => throttle.begin('jane', '10.0.0.1')).toThrow('Too many')
  })
})
