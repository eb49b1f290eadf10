import { expect, it } from 'vitest'
import { Slots } from './slots.ts'

it('places are few for one sender and not many for all, and can be had again when they are given back', () => {
  const slots = new Slots(3, 2)
  const first = slots.take('a')
  expect([first, slots.take('a'), slots.take('a')].map(Boolean)).toEqual([true, true, false])
  expect([slots.take('b'), slots.take('c')].map(Boolean)).toEqual([true, false])
  first?.()
  expect([slots.take('c'), slots.take('a')].map(Boolean)).toEqual([true, false])
})
