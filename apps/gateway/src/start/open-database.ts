import type { Database } from '../base/db/database.ts'
import { connect } from '../base/db/connect.ts'
import { migrate, NewerDatabase } from '../base/db/migrate.ts'
import type { PostgresOptions } from '../base/db/postgres.ts'
import { lockInstance } from './instance-lock.ts'
import { StartProblem } from '../base/settings/start-problem.ts'
import { version } from '../base/version.ts'
import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { sqlitePathOf } from '../base/db/sqlite.ts'

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
function refuseEarlier(url: string): void {
  const path = url.startsWith('sqlite:') ? sqlitePathOf(url) : null
  if (path === null || !existsSync(path) || !isEarlier(path)) return
  throw refusalOf(path)
}

/** The same for a server, before tables are made there. @throws {StartProblem} */
async function refuseEarlierServer({ db, engine, shownUrl }: Database): Promise<void> {
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

/**
 * Opens the database for this process and brings its tables up to date.
 * @throws {StartProblem} when it cannot be opened, is that of an earlier gateway, or is embedded and another gateway has
 * it open
 */
export async function openDatabase(
  url: string,
  options?: PostgresOptions,
): Promise<{ database: Database; close: () => Promise<void> }> {
  refuseEarlier(url)
  const database = await connect(url, options).catch((error: unknown) => {
    throw new StartProblem(`The database of DATABASE_URL cannot be opened: ${wordsOf(error)}`)
  })
  let unlock: (() => void) | undefined
  let letGo: (() => void) | undefined
  const close = async () => {
    letGo?.()
    await database.close()
    unlock?.()
  }
  try {
    if (database.path !== null) unlock = lockOf(database.path)
    await refuseEarlierServer(database)
    await bringUpToDate(database, url, options?.name)
    await noteVersion(database)
    letGo = database.reserve.keep()
    return { database, close }
  } catch (error) {
    await close()
    if (error instanceof StartProblem) throw error
    if (error instanceof NewerDatabase) throw new StartProblem(error.message)
    throw new StartProblem(`The database ${database.shownUrl} cannot be used: ${wordsOf(error)}`)
  }
}

/** A server gets a connection for it that may take its time. */
async function bringUpToDate(database: Database, url: string, name?: string): Promise<void> {
  if (database.engine === 'sqlite') return migrate(database)
  const upkeep = await connect(url, { purpose: 'maintenance', ...(name !== undefined && { name }) })
  try {
    await migrate(upkeep)
  } finally {
    await upkeep.close()
  }
}

/** An older version that finds tables it does not know can say which one knows them. */
async function noteVersion({ db }: Database): Promise<void> {
  const noted = await db.selectFrom('installation').select('version').executeTakeFirst()
  if (noted?.version !== version) await db.updateTable('installation').set({ version }).execute()
}

function lockOf(path: string): () => void {
  const unlock = lockInstance(path)
  if (unlock) return unlock
  throw new StartProblem(
    `Another gateway is running on ${path}. Stop it first, or give this one a data directory of its own with FAX_DATA_DIR.`,
  )
}

function wordsOf(error: unknown): string {
  const words = error instanceof Error && error.message !== '' ? error.message : 'no reason was given'
  return words.endsWith('.') ? words : `${words}.`
}
