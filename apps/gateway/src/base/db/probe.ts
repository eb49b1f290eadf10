import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { wordsOf } from './outage.ts'
import { sqlitePathOf } from './sqlite.ts'

const patienceMs = 5000

/**
 * Checks whether a gateway could start with a database: whether it can be reached, and tables created. Leaves nothing
 * behind.
 * @param url `sqlite:…` or `postgres://…`
 * @returns what stands in the way, as a sentence without the password; undefined when nothing does
 */
export async function probeDatabase(url: string): Promise<string | undefined> {
  try {
    await (url.startsWith('sqlite:') ? probeSqlite(url) : probePostgres(url))
    return undefined
  } catch (error) {
    return `A gateway could not start on this database: ${wordsOf(error).replace(/\.?$/, '.')} The current one stays in use.`
  }
}

async function probeSqlite(url: string): Promise<void> {
  const path = sqlitePathOf(url)
  if (path === null) return
  const folder = dirname(path)
  const there = await stat(folder).catch(() => undefined)
  if (!there?.isDirectory()) throw new Error(`There is no folder ${folder}. Create it, or mount a volume there`)
  await writable(folder)
  const file = await stat(path).catch(() => undefined)
  if (!file) return
  if (!file.isFile()) throw new Error(`${path} is not a file`)
  await writable(path)
  // Not read-only: that would leave the files of the write-ahead log behind.
  const database = new Sqlite(path, { fileMustExist: true, timeout: 100 })
  try {
    database.pragma('schema_version')
  } finally {
    database.close()
  }
}

async function writable(path: string): Promise<void> {
  await access(path, constants.W_OK).catch(() => {
    throw new Error(`${path} cannot be written by the user that Faxdeck runs as`)
  })
}

async function probePostgres(url: string): Promise<void> {
  const { default: driver } = await import('pg')
  const client = new driver.Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  })
  // A connection that breaks while nothing is asked; the query in hand reports its own error.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('begin')
    await client.query('create table faxdeck_probe (id integer)')
    await client.query('rollback')
  } finally {
    await client.end().catch(() => undefined)
  }
}
