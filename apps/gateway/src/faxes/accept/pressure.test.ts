import { expect, it } from 'vitest'
import { createPressure } from './pressure.ts'

it('is high from the fourth caller at once until a moment after the rush', async () => {
  let time = 0
  const pressure = createPressure(() => time)
  const leave: (() => void)[] = []
  const caller = () => pressure.around(() => new Promise<void>((resolve) => leave.push(resolve)))
  const callers = [caller(), caller(), caller()]
  expect(pressure.isHigh()).toBe(false)
  callers.push(caller())
  expect(pressure.isHigh()).toBe(true)
  for (const each of leave) each()
  await Promise.all(callers)
  time = 199
  expect(pressure.isHigh()).toBe(true)
  time = 200
  expect(pressure.isHigh()).toBe(false)
})

it('lets a failure through and forgets its caller', async () => {
  const pressure = createPressure(() => 0)
  for (let n = 0; n < 5; n++) await expect(pressure.around(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(pressure.isHigh()).toBe(false)
})
