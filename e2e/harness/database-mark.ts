import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** The mark by which the database of a data directory knows its own documents. */
export function databaseMark(directory: string): unknown {
  const file = new Sqlite(join(directory, 'faxdeck.db'), { readonly: true })
  try {
    return file.prepare('select mark from installation').pluck().get()
  } finally {
    file.close()
  }
}
