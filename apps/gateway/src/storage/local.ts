import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { randomHex } from '../db/random-hex.ts'
import { checkKey, type Storage, StorageProblem } from './storage.ts'

// Every document takes these steps. With a FileHandle for each, storing costs the event loop about half as much again.
const [openFile, closeFile, syncFile] = [promisify(fs.open), promisify(fs.close), promisify(fs.fsync)]
const [writeFile, rename] = [promisify(fs.writeFile), promisify(fs.rename)]

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

function problemOf(error: unknown, key: string): unknown {
  const code = codeOf(error)
  if (code === 'ENOENT') return new StorageProblem('missing', `There is no stored document "${key}".`)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StorageProblem(
      'full',
      'The disk is full, so the document could not be stored. Free some space and try again.',
    )
  }
  return error
}

async function syncDirectory(directory: string): Promise<void> {
  const file = await openFile(directory, 'r')
  try {
    await syncFile(file)
  } finally {
    // What was synced is on the disk, whatever closing says: nobody needs to wait for it.
    closeFile(file).catch(() => undefined)
  }
}

/** Makes a folder and everything above it, and makes the new names durable; what is known to be there costs nothing. */
function folderMaker(root: string): (directory: string) => Promise<void> {
  const known = new Set<string>()
  return async (directory) => {
    if (known.has(directory)) return
    const first = await mkdir(directory, { recursive: true, mode: 0o700 })
    if (first !== undefined) {
      for (let each = directory; each.length >= root.length; each = dirname(each)) await syncDirectory(dirname(each))
    }
    known.add(directory)
  }
}

/** A rename that a crash cannot undo. */
async function settle(passing: string, path: string): Promise<void> {
  await rename(passing, path)
  await syncDirectory(dirname(path))
}

/** Written under a passing name, synced, renamed: after a crash the file is there whole or not at all. */
async function putDurably(path: string, content: Uint8Array): Promise<void> {
  const passing = `${path}.${randomHex(6)}.tmp`
  try {
    await writeFile(passing, content, { flag: 'wx', mode: 0o600, flush: true })
    await settle(passing, path)
  } catch (error) {
    await rm(passing, { force: true })
    throw error
  }
}

async function moveDurably(source: string, path: string): Promise<void> {
  const handle = await open(source, 'r+')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
  await settle(source, path)
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

/** Documents as files under one folder. */
export function createLocalStorage(root: string): Storage {
  const makeFolder = folderMaker(root)
  const at = async <T>(key: string, act: (path: string) => Promise<T>): Promise<T> => {
    checkKey(key)
    try {
      return await act(join(root, key))
    } catch (error) {
      throw problemOf(error, key)
    }
  }
  const storage: Storage = {
    kind: 'local',
    put: (key, content) =>
      at(key, async (path) => {
        await makeFolder(dirname(path))
        await putDurably(path, content)
      }),
    putFile: (key, source) =>
      at(key, async (path) => {
        await makeFolder(dirname(path))
        await moveDurably(source, path)
      }),
    get: (key) => at(key, (path) => readFile(path)),
    open: (key) => at(key, async (path) => ({ size: (await stat(path)).size, content: fs.createReadStream(path) })),
    exists: (key) => at(key, isThere),
    remove: (key) => at(key, (path) => rm(path, { force: true })),
    list: async function* (folder) {
      checkKey(folder)
      for (const inner of await namesIn(join(root, folder))) {
        const names = await namesIn(join(root, folder, inner))
        yield names.map((name) => `${folder}/${inner}/${name}`)
      }
    },
    probe: async () => {
      const key = `probe/${randomBytes(8).toString('hex')}`
      await storage.put(key, Buffer.from(key))
      await storage.remove(key)
    },
  }
  return storage
}
