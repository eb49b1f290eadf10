import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

const marks = new WeakMap<Database, Promise<string>>()

/** The mark of a new database, or of a copy that becomes an independent database. */
export const newMark = (): string => randomBytes(4).toString('hex')

async function readMark({ db }: Database): Promise<string> {
  const { mark } = await db.selectFrom('installation').select('mark').executeTakeFirstOrThrow()
  return mark
}

/** Eight hexadecimal digits that are this database's own: documents carry them in their keys. Asked once, then known. */
export async function markOf(database: Database): Promise<string> {
  const known = marks.get(database)
  if (known) return known
  const asked = readMark(database)
  marks.set(database, asked)
  asked.catch(() => marks.delete(database))
  return asked
}
