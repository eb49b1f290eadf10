import { type FileHandle, open } from 'node:fs/promises'

/** Brings what SQLite has written to its log onto the disk. */
export interface WalSync {
  /** Resolves when everything committed before the call is on the disk. Those who ask at once share one sync. */
  sync: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Syncs the write-ahead log beside the event loop. SQLite would do the same after each commit under
 * `synchronous = FULL`, but on the thread that everybody waits for; under NORMAL it leaves it to us
 * (sqlite.org/pragma.html#pragma_synchronous: a commit may be lost with the power, the file is never damaged).
 */
export function createWalSync(path: string): WalSync {
  let log: Promise<FileHandle> | undefined
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined
  const openLog = () =>
    (log ??= open(`${path}-wal`, 'r+').catch((error: unknown) => {
      log = undefined
      throw error
    }))
  const syncNow = async (): Promise<void> => {
    try {
      await (await openLog()).datasync()
    } finally {
      running = undefined
    }
  }
  const begin = () => (running = syncNow())
  return {
    sync: () => {
      if (!running) return begin()
      // The one that runs may have begun before the commit in question.
      following ??= running
        .catch(() => undefined)
        .then(() => {
          following = undefined
          return begin()
        })
      return following
    },
    close: async () => {
      await following?.catch(() => undefined)
      await running?.catch(() => undefined)
      await (await log)?.close()
    },
  }
}
