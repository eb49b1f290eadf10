import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, inject, onTestFinished } from 'vitest'
import { connect } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { writeMigrated } from './migrated-file.ts'

/** Makes a database with all tables, or without any; it is closed when its test ends. */
export type OpenDatabase = (how?: { tables: boolean }) => Promise<Database>

/** Runs a suite on SQLite and on PostgreSQL. `another` opens the database again, as a second process would. */
export function onEachDatabase(
  suite: (open: OpenDatabase, another: (database: Database) => Promise<Database>) => void,
): void {
  const urls = new WeakMap<Database, string>()
  const openAt = async (url: string) => {
    const database = await connect(url)
    urls.set(database, url)
    onTestFinished(() => database.close())
    return database
  }
  const another = (database: Database) => openAt(urls.get(database) ?? '')

  describe('on SQLite', () => {
    suite(async ({ tables } = { tables: true }) => {
      const directory = await mkdtemp(join(tmpdir(), 'faxdeck-db-'))
      onTestFinished(() => rm(directory, { recursive: true, force: true }))
      if (tables) await writeMigrated(join(directory, 'faxdeck.db'))
      return openAt(`sqlite:${directory}/faxdeck.db`)
    }, another)
  })

  describe('on PostgreSQL', () => {
    waitForPostgres()
    suite(async ({ tables } = { tables: true }) => openAt(await newPostgresDatabase({ tables })), another)
  })
}

async function askBroker(what: string): Promise<string> {
  const answer = await fetch(`${inject('postgresBroker')}/${what}`)
  const said = await answer.text()
  if (!answer.ok) throw new Error(said)
  return said
}

/** The first who asks waits for the server, which on a busy machine takes longer than a test may. */
export function waitForPostgres(): void {
  beforeAll(() => askBroker('ready'), 120_000)
}

/** The address of a PostgreSQL database of its own. */
export const newPostgresDatabase = ({ tables } = { tables: true }): Promise<string> =>
  askBroker(tables ? 'with-tables' : 'without-tables')
