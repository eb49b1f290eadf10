import type { Database } from '../base/db/database.ts'
import { connect } from '../base/db/connect.ts'
import { migrate, NewerDatabase } from '../base/db/migrate.ts'
import type { PostgresOptions } from '../base/db/postgres.ts'
import { refuseEarlier, refuseEarlierServer } from './earlier-database.ts'
import { lockInstance } from './instance-lock.ts'
import { StartProblem } from '../base/settings/start-problem.ts'
import { version } from '../base/version.ts'

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
