import type { Readable } from 'node:stream'
import { type Storage, StorageProblem } from './storage.ts'

/** Documents that were looked for and were not there, although nothing removed them: as far as this process knows. */
export interface MissingDocuments {
  has: (key: string) => boolean
  note: (key: string) => void
  forget: (key: string) => void
  keys: () => readonly string[]
}

const largestCount = 10_000

export function createMissing(): MissingDocuments {
  const known = new Set<string>()
  return {
    has: (key) => known.has(key),
    note: (key) => {
      if (known.size < largestCount) known.add(key)
    },
    forget: (key) => void known.delete(key),
    keys: () => [...known],
  }
}

const isMissing = (error: unknown) => error instanceof StorageProblem && error.code === 'missing'

/** A storage that notes what it does not find, so that nothing claims that it is stored. */
export function noteMissing<S extends Storage>(storage: S, missing: MissingDocuments): S {
  const reading = async <T>(key: string, read: () => Promise<T>): Promise<T> => {
    try {
      const found = await read()
      missing.forget(key)
      return found
    } catch (error) {
      if (isMissing(error)) missing.note(key)
      throw error
    }
  }
  const writing = async (key: string, write: () => Promise<void>): Promise<void> => {
    await write()
    missing.forget(key)
  }
  return {
    ...storage,
    // A getter, which the spread has read.
    get kind() {
      return storage.kind
    },
    isMissing: missing.has,
    put: (key, content) => writing(key, () => storage.put(key, content)),
    replace: (key, content) => writing(key, () => storage.replace(key, content)),
    remove: (key) => writing(key, () => storage.remove(key)),
    get: (key): Promise<Buffer> => reading(key, () => storage.get(key)),
    open: (key): Promise<{ content: Readable; size: number }> => reading(key, () => storage.open(key)),
  }
}
