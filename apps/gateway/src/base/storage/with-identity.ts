import { type Place, type Storage, StorageProblem } from './storage.ts'

const isOf = (code: StorageProblem['code'], error: unknown) => error instanceof StorageProblem && error.code === code

/** A check that passed counts for a while; one that failed is made again. Who asks at once shares one. */
export function atMostEvery(ms: number, check: () => Promise<void>): () => Promise<void> {
  let until = -Infinity
  let running: Promise<void> | undefined
  const run = async () => {
    try {
      await check()
      until = performance.now() + ms
    } finally {
      running = undefined
    }
  }
  return async () => {
    if (performance.now() >= until) await (running ??= run())
  }
}

/**
 * A place that is written only while it is the right one, and that calls no document missing while it is not.
 * @param check rejects when it is another place; cheap enough for each call
 * @param checkNow the same, never answered from memory
 */
export function withIdentity(place: Place, check: () => Promise<void>, checkNow = check): Storage {
  const reading = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (isOf('missing', error)) await check()
      throw error
    }
  }
  /** Looked at afterwards too: the volume may go at any moment, and what is promised has to lie on it. */
  const writing = async (write: () => Promise<void>): Promise<void> => {
    await check()
    await write().catch(async (error: unknown) => {
      // Who does not answer cannot be asked which place it is: the caller would wait twice.
      if (!isOf('unreachable', error)) await check()
      throw error
    })
    await check()
  }
  return {
    kind: place.kind,
    put: (key, content) => writing(() => place.put(key, content)),
    replace: (key, content) => writing(() => place.replace(key, content)),
    get: (key) => reading(() => place.get(key)),
    open: (key) => reading(() => place.open(key)),
    exists: async (key) => {
      if (await place.exists(key)) return true
      await check()
      return false
    },
    remove: async (key) => {
      await check()
      await place.remove(key)
    },
    list: async function* (folder) {
      await check()
      yield* place.list(folder)
    },
    check,
    probe: async () => {
      await checkNow()
      await place.probe()
    },
  }
}
