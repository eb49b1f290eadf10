import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import type { Database } from '../base/db/database.ts'
import { sqlitePathOf } from '../base/db/sqlite.ts'
import { StartProblem } from '../base/settings/start-problem.ts'

/** Whether a file has the faxes of an earlier gateway: their table, and none that only ours has. */
function isEarlier(path: string): boolean {
  try {
    const file = new Sqlite(path, { readonly: true, fileMustExist: true })
    try {
      const find = file.prepare("select 1 from sqlite_master where type = 'table' and name = ?")
      return find.get('fax_jobs') !== undefined && find.get('audit_head') === undefined
    } finally {
      file.close()
    }
  } catch {
    // What cannot be read is for those to name who open it to write.
    return false
  }
}

/**
 * Before a database file is opened to be written: one of an earlier gateway would be altered, and be of no use here.
 * @throws {StartProblem}
 */
export function refuseEarlier(url: string): void {
  const path = url.startsWith('sqlite:') ? sqlitePathOf(url) : null
  if (path === null || !existsSync(path) || !isEarlier(path)) return
  throw refusalOf(path)
}

/** The same for a server, before tables are made there. @throws {StartProblem} */
export async function refuseEarlierServer({ db, engine, shownUrl }: Database): Promise<void> {
  if (engine === 'sqlite') return
  const { rows } = await sql<{ is_earlier: boolean }>`
    select to_regclass('fax_jobs') is not null and to_regclass('audit_head') is null as is_earlier
  `.execute(db)
  if (rows[0]?.is_earlier) throw refusalOf(shownUrl)
}

const refusalOf = (place: string) =>
  new StartProblem(
    `${place} is the database of an earlier gateway, and was left as it is. Remove DATABASE_URL, and import its faxes with "faxdeck import".`,
  )
