import { statSync } from 'node:fs'

/** The database file was moved, removed or replaced while it is open: what is written to it now would be lost. */
export class DatabaseMoved extends Error {
  override name = 'DatabaseMoved'
  /** Whether nothing is at its path, or another file. */
  readonly found: 'nothing' | 'another'

  constructor(path: string, found: 'nothing' | 'another') {
    const fate = found === 'nothing' ? 'moved or removed' : 'replaced'
    super(
      `The database file ${path} was ${fate} while the gateway runs, so nothing is written. Put it back or mount its volume. If that does not help, restart the gateway.`,
    )
    this.found = found
  }
}

/**
 * Compares the file at a path with the one that was there when this was called. Only by its name: to open it a second
 * time and close it again would give up SQLite's locks (sqlite.org/howtocorrupt.html, 2.2).
 * @returns throws {DatabaseMoved} when another file is there, or none
 */
export function watchPlace(path: string): () => void {
  const look = () => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found && `${found.dev}:${found.ino}`
  }
  const opened = look()
  return () => {
    const found = look()
    if (found === opened) return
    throw new DatabaseMoved(path, found === undefined ? 'nothing' : 'another')
  }
}
