import type { RouteName } from '@faxdeck/contract'
import { expect, it } from 'vitest'
import { Callers } from './callers.ts'
import type { Handlers } from '../handler.ts'

it('are many from the fourth at once until a moment after', async () => {
  let time = 1000
  const callers = new Callers(() => time)
  const leave: (() => void)[] = []
  const call = () => callers.answer(() => new Promise<void>((resolve) => leave.push(resolve)))
  const three = [call(), call(), call()]
  expect(callers.areMany()).toBe(false)
  const four = [...three, call()]
  expect(callers.areMany()).toBe(true)
  for (const one of leave) one()
  await Promise.all(four)
  time += 999
  expect(callers.areMany()).toBe(true)
  time += 1
  expect(callers.areMany()).toBe(false)
})

it('are many as long as four wait, also when no other comes', async () => {
  let time = 0
  const callers = new Callers(() => time)
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const waiting = [1, 2, 3, 4].map(() => callers.answer(() => promise))
  time += 60_000
  expect(callers.areMany()).toBe(true)
  time += 60_000
  resolve(undefined)
  await Promise.all(waiting)
  time += 999
  expect(callers.areMany()).toBe(true)
})

it('are no longer counted once their call has failed', async () => {
  const callers = new Callers(() => 0)
  for (let n = 0; n < 5; n++) await expect(callers.answer(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(callers.areMany()).toBe(false)
})

it('are counted by whichever call they wait for', async () => {
  const callers = new Callers()
  const names: RouteName[] = ['submitFax', 'listJobs', 'getJob', 'getHealthStatus']
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const handlers = callers.counting(
    Object.fromEntries(names.map((name) => [name, () => promise])) as unknown as Handlers,
  )
  const answers = names.map((name) => (handlers[name] as (call: unknown) => unknown)({}))
  expect(callers.areMany()).toBe(true)
  resolve(undefined)
  await Promise.all(answers)
})
