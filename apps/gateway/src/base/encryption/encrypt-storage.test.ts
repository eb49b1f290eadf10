import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../db/database.ts'
import { transact } from '../db/transact.ts'
import { sealsOf } from '../settings/seal.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { createLocalStorage } from '../storage/local.ts'
import { filesWith } from '../storage/testing/files-with.ts'
import { keysOf } from './testing/keys-of.ts'
import { describeStorage, openWhileReplaced } from '../storage/testing/storage.suite.ts'
import { encryptStorage, encryptStored } from './encrypt-storage.ts'
import { addWrappingKey } from './wrapping-keys.ts'

const master = Buffer.alloc(32, 7)
const document = Buffer.from('%PDF-1.4 Katharina Müller, born 1961-09-07')
const [one, two] = ['faxes/aa/one.pdf', 'faxes/aa/two.pdf']
const damaged = { name: 'StorageProblem', code: 'damaged' }

async function room(database: Database) {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-encrypted-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  let choice: 'auto' | 'on' | 'off' = 'on'
  const places = createLocalStorage(directory)
  const keys = keysOf(database, { master, choice: () => choice })
  return {
    directory,
    places,
    keys,
    storage: encryptStorage(places, keys),
    choose: (to: typeof choice) => (choice = to),
    fileOf: (key: string) => join(directory, key),
  }
}

const rotate = (database: Database) => transact(database, (tx) => addWrappingKey(tx, sealsOf(master), new Date()))
const wrappingKeys = async ({ db }: Database) => {
  return (await db.selectFrom('wrapping_keys').select('id').execute()).map(({ id }) => id)
}

onSqliteFirst((open, another) => {
  describeStorage('encrypted local', async () => (await room(await open())).storage)

  describe('encrypted documents', () => {
    it('leave nothing of themselves on the disk', async () => {
      const { directory, storage, places } = await room(await open())
      await places.put(two, document)
      expect(await filesWith(directory, 'Katharina')).toBe(1)
      await places.remove(two)
      await storage.put(one, document)
      expect(await filesWith(directory, 'Katharina')).toBe(0)
      const { content, size } = await storage.open(one)
      expect(size).toBe(document.length)
      expect(await buffer(content)).toEqual(document)
    })

    it('are refused when two are exchanged, when another file takes their place, and without their key', async () => {
      const { storage, places, keys, fileOf } = await room(await open())
      await storage.put(one, document)
      await storage.put(two, Buffer.from('another'))
      await rename(fileOf(one), fileOf('faxes/aa/passing'))
      await rename(fileOf(two), fileOf(one))
      await rename(fileOf('faxes/aa/passing'), fileOf(two))
      for (const key of [one, two]) await expect(storage.get(key)).rejects.toMatchObject(damaged)
      await places.put(one, document)
      await expect(storage.get(one)).rejects.toMatchObject(damaged)
      await expect(storage.open(one)).rejects.toMatchObject(damaged)
      await storage.put(one, document)
      await keys.forget(one)
      await expect(storage.get(one)).rejects.toMatchObject({ ...damaged, message: /its key is not in the database/ })
    })

    it('lose their key with themselves', async () => {
      const { storage, keys, fileOf } = await room(await open())
      await storage.put(one, document)
      const kept = await readFile(fileOf(one))
      await storage.remove(one)
      expect(await keys.find(one)).toBeUndefined()
      await writeFile(fileOf(one), kept)
      await expect(storage.get(one)).rejects.toMatchObject(damaged)
    })

    it('are opened by another process of the same installation, and by no other master key', async () => {
      const database = await open()
      const { storage, places } = await room(database)
      await storage.put(one, document)
      const second = await another(database)
      expect(await encryptStorage(places, keysOf(second, { master })).get(one)).toEqual(document)
      await expect(keysOf(second, { master: Buffer.alloc(32, 8) }).open()).rejects.toMatchObject({ name: 'SealBroken' })
    })

    it('open as one of their versions while they are replaced', async () => {
      const { storage } = await room(await open())
      await openWhileReplaced(storage)
    })

    it('keep one key when they are put twice at once', async () => {
      const { storage } = await room(await open())
      await Promise.all(['first', 'second'].map((text) => storage.put(one, Buffer.from(text))))
      expect(['first', 'second']).toContain((await storage.get(one)).toString())
    })
  })

  describe('a document that counts with a row of its own', () => {
    it('has its key once that row is committed, and none when it is not', async () => {
      const database = await open()
      const { directory, storage, keys } = await room(database)
      const keep = await storage.putWith?.(one, document)
      expect(await filesWith(directory, 'Katharina')).toBe(0)
      const undone = transact(database, async (tx) => {
        keep?.(tx)
        throw new Error('Undone.')
      })
      await expect(undone).rejects.toThrow('Undone.')
      expect(await keys.find(one)).toBeUndefined()
      await transact(database, async (tx) => keep?.(tx))
      expect(await storage.get(one)).toEqual(document)
    })

    it('is put as it is while encryption is off', async () => {
      const { storage, choose } = await room(await open())
      choose('off')
      expect(await storage.putWith?.(one, document)).toBeUndefined()
      expect(await storage.exists(one)).toBe(false)
    })
  })

  describe('documents from before encryption', () => {
    it('are read as they are, and encrypted once it is on', async () => {
      const { directory, storage, places, keys, choose } = await room(await open())
      choose('off')
      await storage.put(one, document)
      expect(await keys.left()).toEqual({ hasPlain: true, hasOldWords: true })
      expect(await filesWith(directory, 'Katharina')).toBe(1)
      choose('on')
      expect(await storage.get(one)).toEqual(document)
      expect(await encryptStored(places, keys, one)).toBe(true)
      expect(await encryptStored(places, keys, one)).toBe(false)
      expect(await filesWith(directory, 'Katharina')).toBe(0)
      expect(await storage.get(one)).toEqual(document)
      choose('off')
      expect(await storage.get(one)).toEqual(document)
    })

    it('open either way while a crash has left them half-way', async () => {
      const { storage, places, keys } = await room(await open())
      await places.put(one, document)
      await keys.keep(one, Buffer.alloc(32, 1), 'pending')
      expect(await storage.get(one)).toEqual(document)
      // The next round finds it again.
      expect(await keys.known([one])).toEqual(new Set())
      expect(await encryptStored(places, keys, one)).toBe(true)
      expect(await keys.known([one, two])).toEqual(new Set([one]))
      expect(await storage.get(one)).toEqual(document)
      await places.put(one, document)
      await expect(storage.get(one)).rejects.toMatchObject(damaged)
    })

    it('open when they are encrypted while they are being read', async () => {
      const { storage, places, keys, choose } = await room(await open())
      choose('off')
      const overtaken = (key: string) => async () => {
        await encryptStored(places, keys, key)
        return key
      }
      const slow = encryptStorage(
        {
          ...places,
          get: (key) => overtaken(key)().then(places.get),
          open: (key) => overtaken(key)().then(places.open),
        },
        keys,
      )
      await storage.put(one, document)
      await storage.put(two, document)
      expect(await slow.get(one)).toEqual(document)
      const { content, size } = await slow.open(two)
      expect([size, await buffer(content)]).toEqual([document.length, document])
    })

    it('stay removed when they are removed while they are being encrypted', async () => {
      const { storage, places, keys } = await room(await open())
      await places.put(one, document)
      const leaving = {
        ...places,
        replace: async (key: string, content: Uint8Array) => {
          await storage.remove(key)
          await places.replace(key, content)
        },
      }
      expect(await encryptStored(leaving, keys, one)).toBe(false)
      expect(await places.exists(one)).toBe(false)
      expect(await encryptStored(places, keys, two)).toBe(false)
      expect(await keys.find(two)).toBeUndefined()
    })
  })

  describe('a new wrapping key', () => {
    it('wraps the keys of all documents, touches none of them, and ends the one before', async () => {
      const database = await open()
      const { storage, keys, fileOf } = await room(database)
      const names = Array.from({ length: 7 }, (_, index) => `faxes/aa/${index}.pdf`)
      for (const name of names) await storage.put(name, document)
      const before = await Promise.all(names.map((name) => readFile(fileOf(name))))
      const [old] = await wrappingKeys(database)
      await rotate(database)
      const progress: number[] = []
      expect(await keys.rewrap((done) => progress.push(done))).toBe(names.length)
      expect(progress.at(-1)).toBe(names.length)
      expect(await wrappingKeys(database)).toEqual([expect.not.stringMatching(old ?? '')])
      expect(await Promise.all(names.map((name) => readFile(fileOf(name))))).toEqual(before)
      for (const name of names) expect(await storage.get(name)).toEqual(document)
      expect(await keys.rewrap(() => undefined)).toBe(0)
    })

    it('wraps also what is stored by a process that knew the one before and has not looked since', async () => {
      const database = await open()
      const { places, storage, keys } = await room(database)
      await storage.put(one, document)
      const second = await another(database)
      const late = encryptStorage(places, keysOf(second, { master }))
      await late.put(two, document)
      await rotate(database)
      await keys.rewrap(() => undefined)
      await late.put('faxes/aa/three.pdf', document)
      const keep = await late.putWith?.('faxes/aa/four.pdf', document)
      await transact(second, async (tx) => keep?.(tx))
      expect(await wrappingKeys(database)).toHaveLength(1)
      const anew = encryptStorage(places, keysOf(database, { master }))
      for (const name of ['one', 'two', 'three', 'four']) {
        expect(await anew.get(`faxes/aa/${name}.pdf`)).toEqual(document)
      }
    })

    it('is used by processes that knew the one before, and both open until all are wrapped anew', async () => {
      const database = await open()
      const { storage, places } = await room(database)
      await storage.put(one, document)
      const second = encryptStorage(places, keysOf(await another(database), { master }))
      await rotate(database)
      await storage.put(two, document)
      expect(await second.get(one)).toEqual(document)
      expect(await second.get(two)).toEqual(document)
      expect(await wrappingKeys(database)).toHaveLength(2)
    })
  })
})
