import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, inject, onTestFinished } from 'vitest'
import { connect } from '../base/db/connect.ts'
import type { Database } from '../base/db/database.ts'
import { writeMigrated } from './migrated-file.ts'

/** Makes a database with all tables, or without any; it is closed when its test ends. */
export type OpenDatabase = (how?: { tables: boolean }) => Promise<Database>

type Suite = (open: OpenDatabase, another: (database: Database) => Promise<Database>) => void

const isLong = process.env.FAXDECK_LONG !== undefined

/** Runs a suite on SQLite and on PostgreSQL. `another` opens the database again, as a second process would. */
export const onEachDatabase = (suite: Suite): void => runOn(suite, { postgres: true })

/** As `onEachDatabase`, but on PostgreSQL in the long form alone: for rules that stand above the queries. */
export const onSqliteFirst = (suite: Suite): void => runOn(suite, { postgres: isLong })

function runOn(suite: Suite, { postgres }: { postgres: boolean }): void {
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

  describe.runIf(postgres)('on PostgreSQL', () => {
    waitForPostgres()
    suite(async ({ tables } = { tables: true }) => openAt(await newPostgresDatabase({ tables })), another)
  })
}

/** What tells a gateway where its database is; empty for the file in its data directory. */
export type DatabaseEnv = () => Promise<Record<string, string>>

/**
 * Runs a suite of whole gateways on SQLite, and in the long form on PostgreSQL too: the queries themselves have suites
 * that run on both each time.
 */
export function onEachGatewayDatabase(suite: (databaseEnv: DatabaseEnv) => void): void {
  describe('on SQLite', () => suite(async () => ({})))
  describe.runIf(isLong)('on PostgreSQL', () => {
    waitForPostgres()
    suite(async () => ({ DATABASE_URL: await newPostgresDatabase() }))
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
