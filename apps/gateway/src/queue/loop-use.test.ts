import { expect, it } from 'vitest'
import { watchLoop } from './loop-use.ts'

it('tells whether the loop was at work without a pause, over a span that means something', () => {
  const use = { active: 1000, idle: 1000 }
  const isFull = watchLoop(() => ({ ...use }))
  const pass = (active: number, idle: number) => {
    use.active += active
    use.idle += idle
    return isFull()
  }
  expect(pass(100, 0)).toBe(false)
  expect(pass(95, 10)).toBe(true)
  expect(pass(0, 50)).toBe(true)
  expect(pass(100, 50)).toBe(false)
})
