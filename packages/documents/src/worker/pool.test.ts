import { expect, it } from 'vitest'
import { planMemory } from '../base/memory.ts'
import { Pool } from './pool.ts'

const megabyte = 1024 * 1024
const threadsOf = (megabytesOfMachine: number, megabytesOfDocument: number) =>
  new Pool(planMemory(megabytesOfMachine, 2)).threadsFor({
    shared: new SharedArrayBuffer(megabytesOfDocument * megabyte),
  })

it.each([
  [1024, 39, 1],
  [1024, 10, 2],
  [8192, 39, 2],
  [8192, 100, 1],
])('with %i MB, a document of %i MB is drawn by %i of two threads', (machine, document, threads) => {
  expect(threadsOf(machine, document)).toBe(threads)
})
