import Sqlite from 'better-sqlite3'

/**
 * Keeps a second gateway away from an embedded database. The system gives the lock back when the process ends, however it ends.
 * @param path the database file; the lock is a file beside it
 * @returns how to give the lock back, or undefined when another process holds it
 */
export function lockInstance(path: string): (() => void) | undefined {
  const file = new Sqlite(`${path}.lock`, { timeout: 0 })
  try {
    file.exec('begin exclusive')
    return () => void file.close()
  } catch (error) {
    file.close()
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
}
