import { expect, it } from 'vitest'
import { DocumentMemory } from './document-memory.ts'

const mb = 1024 * 1024

/** Begins pieces of work that go on until they are told to end, and says which have begun. */
function room(capacity: number) {
  const memory = new DocumentMemory(capacity)
  const begun: string[] = []
  return {
    begun,
    begin: async (name: string, bytes: number, signal?: AbortSignal) => {
      const release = await memory.acquire(bytes, signal && (() => signal))
      begun.push(name)
      return release
    },
  }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

it('a document waits until there is room for it and its copies, and small ones do not overtake it', async () => {
  const { begin, begun } = room(30 * mb)
  const first = await begin('first', 6 * mb)
  const second = begin('second', 6 * mb)
  const third = begin('third', 1)
  await settled()
  expect(begun).toEqual(['first'])
  first()
  first()
  const release = await second
  await third
  expect(begun).toEqual(['first', 'second', 'third'])
  release()
})

it('a document that is larger than all of the room is read alone', async () => {
  const { begin, begun } = room(30 * mb)
  const first = await begin('first', 1)
  const large = begin('large', 100 * mb)
  await settled()
  expect(begun).toEqual(['first'])
  first()
  ;(await large)()
  ;(await begin('last', 100 * mb))()
  expect(begun).toEqual(['first', 'large', 'last'])
})

it('whoever gives up waiting lets those behind in', async () => {
  const { begin, begun } = room(30 * mb)
  await begin('first', 5 * mb)
  const gone = new AbortController()
  const second = begin('second', 10 * mb, gone.signal)
  const third = begin('third', 1 * mb)
  gone.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  await third
  expect(begun).toEqual(['first', 'third'])
  await expect(begin('fourth', 10 * mb, gone.signal)).rejects.toThrow('gone')
})
