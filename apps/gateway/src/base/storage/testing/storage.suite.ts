import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../storage.ts'
import { keysIn } from './keys-in.ts'

/** Opens a document again and again while it is replaced: each time it is one of its versions, whole. */
export async function openWhileReplaced(storage: Storage): Promise<void> {
  await storage.put('a', Buffer.alloc(5))
  const over = new AbortController()
  const replacing = (async () => {
    for (let size = 1; size <= 20; size += 1) await storage.put('a', Buffer.alloc(size * 1000, size))
  })().finally(() => over.abort())
  while (!over.signal.aborted) {
    const { content, size } = await storage.open('a')
    expect((await buffer(content)).length).toBe(size)
  }
  await replacing
}

/** What every kind of storage must do. `create` gives an empty one. */
export function describeStorage(name: string, create: () => Promise<Storage>): void {
  const bytes = Buffer.from([0, 255, 10, 13, 7])

  describe(`${name} storage`, () => {
    it('gives back what was put, whole and as a stream', async () => {
      const storage = await create()
      await storage.put('faxes/ab/abcd.pdf', bytes)
      expect(await storage.get('faxes/ab/abcd.pdf')).toEqual(bytes)
      const { content, size } = await storage.open('faxes/ab/abcd.pdf')
      expect(size).toBe(bytes.length)
      expect(await buffer(content)).toEqual(bytes)
      expect(await storage.exists('faxes/ab/abcd.pdf')).toBe(true)
    })

    it('replaces a document of the same key', async () => {
      const storage = await create()
      await storage.put('a', bytes)
      await storage.put('a', Buffer.from('second'))
      expect((await storage.get('a')).toString()).toBe('second')
    })

    it('says that a document is missing', async () => {
      const storage = await create()
      await expect(storage.get('no/such')).rejects.toMatchObject({ name: 'StorageProblem', code: 'missing' })
      await expect(storage.open('no/such')).rejects.toMatchObject({ name: 'StorageProblem', code: 'missing' })
      expect(await storage.exists('no/such')).toBe(false)
    })

    it('removes, also what is not there', async () => {
      const storage = await create()
      await storage.put('a', bytes)
      await storage.remove('a')
      await storage.remove('a')
      expect(await storage.exists('a')).toBe(false)
    })

    it.each(['../up', '/etc/passwd', 'a/../../b', 'a//b', '', 'a b', 'a\0b', '.hidden', 'A'])(
      'refuses the key %j',
      async (key) => {
        const storage = await create()
        await expect(storage.put(key, bytes)).rejects.toMatchObject({ name: 'StorageProblem', code: 'bad_key' })
      },
    )

    it('keeps many documents that are put at once', async () => {
      const storage = await create()
      const keys = Array.from({ length: 50 }, (_, index) => `many/${index % 7}/${index}`)
      await Promise.all(keys.map((key) => storage.put(key, Buffer.from(key))))
      const found = await Promise.all(keys.map(async (key) => (await storage.get(key)).toString()))
      expect(found).toEqual(keys)
    })

    it('lists what is below a folder, and nothing else', async () => {
      const storage = await create()
      expect(await keysIn(storage, 'faxes')).toEqual([])
      const keys = Array.from({ length: 12 }, (_, index) => `faxes/${index % 5}a/${index}.pdf`)
      for (const key of [...keys, 'inbound/aa/1.pdf', 'faxes-of-others/aa/1.pdf']) await storage.put(key, bytes)
      expect(await keysIn(storage, 'faxes')).toEqual(keys.sort())
      await expect(keysIn(storage, '..')).rejects.toMatchObject({ code: 'bad_key' })
    })

    it('can be probed', async () => {
      const storage = await create()
      await expect(storage.probe()).resolves.toBeUndefined()
    })
  })
}
