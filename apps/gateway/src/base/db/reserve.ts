import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const reserveBytes = 4 * 1024 ** 2
const everyMs = 5000

/** Room on the disk that is kept back for what must go on when it is full: signing in, looking, deleting. */
export interface Reserve {
  /** Keeps it back from now on, whenever there is room for it. @returns how to stop looking */
  keep: () => () => void
  /** Whether the disk was full, and the room is in use: nothing that can wait may be stored. */
  isInUse: () => boolean
}

/** For a database that is elsewhere, or only in memory. */
export const noReserve: Reserve = { keep: () => () => undefined, isInUse: () => false }

/** @param path a file of its own beside the database */
export function createReserve(path: string): Reserve & { release: () => boolean } {
  let isKept = false
  let isShort = false
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  }
  const take = () => {
    const file = openSync(path, 'w', 0o600)
    try {
      // Random, so that a file system that compresses keeps as much.
      writeSync(file, randomBytes(reserveBytes))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }
  const release = () => {
    const had = isKept && existsSync(path)
    if (isKept) isShort = true
    if (had) rmSync(path, { force: true })
    return had
  }
  const look = () => {
    try {
      // Room that comes back is not to be taken away at once.
      if (!existsSync(path)) isShort = freeBytes() < 2 * reserveBytes
      if (!isShort && !existsSync(path)) take()
    } catch {
      rmSync(path, { force: true })
      isShort = true
    }
  }
  return {
    keep: () => {
      isKept = true
      look()
      const timer = setInterval(look, everyMs).unref()
      return () => clearInterval(timer)
    },
    isInUse: () => isShort,
    release,
  }
}
