import type { Database } from './database.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/**
 * Opens the database of an address: `sqlite:./path`, `sqlite:////absolute/path`, `sqlite::memory:` or `postgres://…`.
 * Call `migrate` before using it.
 * @param options only a server can go away, and limits how long its sessions wait
 * @throws with a sentence when the address is of no known kind
 */
export async function connect(url: string, options?: PostgresOptions): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, options)
  if (url.startsWith('sqlite:')) return openSqlite(url)
  throw new Error('DATABASE_URL begins with neither "sqlite:" nor "postgres://". Example: sqlite:./faxdata/faxdeck.db')
}
