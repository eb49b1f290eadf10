import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, createReadStream, fstat, fsync, open, rename as renameFile, writeFile } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { noReserve, type Reserve } from '../db/reserve.ts'
import { checkKey, markerKey, type Place, StorageProblem } from './storage.ts'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

const fullDisk = () =>
  new StorageProblem('full', 'The disk is full, so the document could not be stored. Free some space and try again.')

function problemOf(error: unknown, key: string): unknown {
  const code = codeOf(error)
  if (code === 'ENOENT') return new StorageProblem('missing', `There is no stored document "${key}".`)
  if (code === 'ENOSPC' || code === 'EDQUOT') return fullDisk()
  return error
}

// Every document passes through these: with the handles of `fs/promises` they take half as much again of this thread.
const [openFile, sizeOf, write, syncFile, rename] = [
  promisify(open),
  promisify(fstat),
  promisify(writeFile),
  promisify(fsync),
  promisify(renameFile),
]

/** Resolves when the file, or the folder's names, are on the disk. */
async function sync(path: string, flags: 'r' | 'wx', content?: Uint8Array): Promise<void> {
  const file = await openFile(path, flags, 0o600)
  try {
    if (content) await write(file, content)
    await syncFile(file)
  } finally {
    // Of what is on the disk, closing writes nothing.
    closeSync(file)
  }
}

/** Size and content are of one file, also when another takes its name meanwhile. */
async function openWhole(path: string): Promise<{ content: Readable; size: number }> {
  const file = await openFile(path, 'r')
  try {
    const { size } = await sizeOf(file)
    return { size, content: createReadStream(path, { fd: file }) }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Makes the folders of documents and makes their names durable; what is known to be there costs nothing. */
class Folders {
  readonly #root: string
  readonly #ready = new Map<string, Promise<void>>()

  constructor(root: string) {
    this.#root = root
  }

  ready(directory: string): Promise<void> {
    const known = this.#ready.get(directory)
    if (known) return known
    const made = this.#make(directory)
    this.#ready.set(directory, made)
    made.catch(() => this.#ready.delete(directory))
    return made
  }

  /** The root is not forgotten: when it goes, nothing is made where it was. */
  forget(directory: string): void {
    for (let each = directory; each.length > this.#root.length; each = dirname(each)) this.#ready.delete(each)
  }

  async #make(directory: string): Promise<void> {
    const isRoot = directory === this.#root
    if (!isRoot) await this.ready(dirname(directory))
    const made = await mkdir(directory, { recursive: isRoot, mode: 0o700 }).then(
      (first) => !isRoot || first !== undefined,
      (error: unknown) => {
        if (codeOf(error) === 'EEXIST') return false
        throw error
      },
    )
    if (made) await sync(dirname(directory), 'r')
  }
}

/** A rename that a crash cannot undo. */
async function settle(passing: string, path: string): Promise<void> {
  await rename(passing, path)
  await sync(dirname(path), 'r')
}

/** Written under a passing name, synced, renamed: after a crash the file is there whole or not at all. */
async function putDurably(path: string, content: Uint8Array): Promise<void> {
  const passing = `${path}.${randomUUID().slice(-12)}.tmp`
  try {
    await sync(passing, 'wx', content)
    await settle(passing, path)
  } catch (error) {
    await rm(passing, { force: true })
    throw error
  }
}

async function isThere(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  return found !== undefined
}

/** What is in a folder; nothing when there is none, or when it is a file. */
async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}

/** Reads the marker of a folder; while the file is the same, without opening it. */
function markerReader(path: string): () => Promise<string | undefined> {
  let known: { file: string; id: string } | undefined
  return async () => {
    try {
      const { dev, ino, mtimeMs } = await stat(path)
      const file = [dev, ino, mtimeMs].join()
      if (known?.file !== file) known = { file, id: (await readFile(path, 'utf8')).trim() }
      return known.id
    } catch (error) {
      known = undefined
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
      throw error
    }
  }
}

const isGone = (error: unknown) => codeOf(error) === 'ENOENT'

/**
 * Documents as files under one folder, which is made when the first document comes, and never again.
 * @param reserve room that no new document may use up
 */
export function createLocalStorage(root: string, reserve: Pick<Reserve, 'isInUse'> = noReserve): Place {
  const folders = new Folders(resolve(root))
  const at = async <T>(key: string, act: (path: string) => Promise<T>): Promise<T> => {
    checkKey(key)
    try {
      return await act(join(root, key))
    } catch (error) {
      throw problemOf(error, key)
    }
  }
  /** A folder below the root may have been removed: then it is made again. */
  const into = (key: string, write: (path: string) => Promise<void>) =>
    at(key, async (path) => {
      const folder = dirname(resolve(path))
      await folders.ready(folder)
      await write(path).catch(async (error: unknown) => {
        if (!isGone(error)) throw error
        folders.forget(folder)
        await folders.ready(folder)
        await write(path)
      })
    })
  const store = (key: string, content: Uint8Array) => into(key, (path) => putDurably(path, content))
  const storage: Place = {
    kind: 'local',
    name: `The documents folder ${root}`,
    readId: markerReader(join(root, markerKey)),
    writeId: (id) => store(markerKey, Buffer.from(`${id}\n`)),
    put: async (key, content) => (reserve.isInUse() ? Promise.reject(fullDisk()) : store(key, content)),
    replace: (key, content) => store(key, content),
    get: (key) => at(key, (path) => readFile(path)),
    open: (key) => at(key, openWhole),
    exists: (key) => at(key, isThere),
    remove: (key) => at(key, (path) => rm(path, { force: true })),
    list: async function* (folder) {
      checkKey(folder)
      for (const inner of await namesIn(join(root, folder))) {
        const names = await namesIn(join(root, folder, inner))
        yield names.map((name) => `${folder}/${inner}/${name}`)
      }
    },
    check: async () => undefined,
    probe: async () => {
      const key = `probe/${randomBytes(8).toString('hex')}`
      await storage.put(key, Buffer.from(key))
      await storage.remove(key)
    },
  }
  return storage
}
