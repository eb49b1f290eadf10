import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import type { Database } from './database.ts'
import { createListeners } from './signals.ts'
import type { Tables } from './tables.ts'
import { afterCommit, isSqliteBusy } from './transact.ts'
import { createWalSync } from './wal-sync.ts'

const mostStatements = 300
const mostWaitMs = 10_000

/** Waits for another process's lock without holding up this one: SQLite itself would block the thread. */
class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (const giveUpAt = Date.now() + mostWaitMs; ;) {
      try {
        return await this.#connection.executeQuery<R>(query)
      } catch (error) {
        if (!isSqliteBusy(error) || Date.now() > giveUpAt) throw error
        await delay(1 + Math.random() * 4)
      }
    }
  }
  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery(query, chunkSize)
  }
}

/** Whether SQLite syncs by itself at the end of a statement or transaction. */
type SyncItself = (itself: boolean) => void

/**
 * Takes the write lock when a transaction begins: a transaction that reads first could otherwise fail at its write.
 * Whoever begins one waits for `synced`; a single statement is synced by SQLite itself.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #syncItself: SyncItself
  #connection: DatabaseConnection | undefined
  constructor(config: SqliteDialectConfig, syncItself: SyncItself) {
    super(config)
    this.#syncItself = syncItself
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    return (this.#connection ??= new PatientConnection(await super.acquireConnection()))
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // Within a transaction it could not be changed any more.
    this.#syncItself(false)
    try {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    } catch (error) {
      this.#syncItself(true)
      throw error
    }
  }
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    this.#syncItself(true)
  }
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } finally {
      // SQLite may have rolled back by itself, for example when the disk was full.
      this.#syncItself(true)
    }
  }
}

/** Runs migrations in a transaction, so that two processes may start on a new file at once. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig
  readonly #syncItself: SyncItself
  constructor(config: SqliteDialectConfig, syncItself: SyncItself) {
    super(config)
    this.#config = config
    this.#syncItself = syncItself
  }
  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config, this.#syncItself)
  }
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

/** The file with its prepared statements kept: preparing costs more than running most of ours. */
function withPreparedStatements(file: Sqlite.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => void file.close(),
    prepare: (sql) => {
      const known = statements.get(sql)
      if (known) return known
      if (statements.size >= mostStatements) statements.clear()
      const statement = file.prepare(sql)
      statements.set(sql, statement)
      return statement
    },
  }
}

/** `sqlite:./relative`, `sqlite:///relative`, `sqlite:////absolute` or `sqlite::memory:`. */
function pathOf(url: string): string | null {
  const path = url.slice('sqlite:'.length).replace(/^\/\/\//, '')
  return path === ':memory:' || path === '' ? null : resolve(path)
}

/**
 * Opens a database file, creating it and its folder when missing. What `transact` commits is on disk when it returns.
 * @throws when the file cannot be opened or is not a database
 */
export function openSqlite(url: string): Database {
  const path = pathOf(url)
  if (path) mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = new Sqlite(path ?? ':memory:')
  file.pragma('journal_mode = WAL')
  file.pragma('synchronous = FULL')
  file.pragma('foreign_keys = ON')
  file.pragma('temp_store = MEMORY')
  file.pragma('busy_timeout = 0')
  // Never as a kept statement: this pragma does its work when it is prepared.
  const syncItself: SyncItself = (itself) => void file.pragma(`synchronous = ${itself ? 'full' : 'normal'}`)
  const dialect = new ImmediateDialect({ database: withPreparedStatements(file) }, syncItself)
  const db = new Kysely<Tables>({ dialect })
  const { emit, on } = createListeners()
  const log = path === null ? undefined : createWalSync(path)
  return {
    db,
    engine: 'sqlite',
    shownUrl: url,
    path,
    signals: { tell: async (tx, signal) => afterCommit(tx, () => emit(signal)), on },
    synced: async () => log?.sync(),
    close: async () => {
      await log?.close()
      await db.destroy()
    },
  }
}
