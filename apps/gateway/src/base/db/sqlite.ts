import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises'
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
} from 'kysely'
import type { Database } from './database.ts'
import { createReserve, noReserve } from './reserve.ts'
import { rewriteFile } from './rewrite-file.ts'
import { createListeners } from './signals.ts'
import type { Tables } from './tables/tables.ts'
import { afterCommit, isDatabaseFull, isSqliteBusy } from './transact.ts'
import { createWalSync } from './wal-sync.ts'
import { watchPlace } from './watch-place.ts'

const maxStatements = 300
const maxWaitMs = 10_000
/** 16 MB: a page that many commits change is copied from the log to the file, and synced, once for all of them. */
const pagesOfLog = 4000
/** Milliseconds for which statements run without a pause; then waiting requests are served in between. */
const maxInARowMs = 8

interface Durability {
  /** Throws if a write would not end up in the file that the next start opens. */
  checkPlace: () => void
  /** Whether a transaction is open: SQLite ends one by itself when it finds the disk full. */
  inTransaction: () => boolean
  /** Whether a statement writes by itself, outside a transaction, or begins one. */
  isLoneWrite: (sql: string) => boolean
  /** How many milliseconds a statement waits for another process's lock. */
  patienceMs: () => number
  /** Frees room on a full disk; false when there is none to be freed. */
  makeRoom: () => boolean
  synced: () => Promise<void>
}

/**
 * Waits for another process's lock, and for the disk, without holding up this thread: SQLite itself would block it.
 * Between the statements of a long transaction, those who need no database are answered.
 */
class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #durability: Durability
  /** When the first statement of this turn of the event loop ran. */
  #since: number | undefined

  constructor(connection: DatabaseConnection, durability: Durability) {
    this.#connection = connection
    this.#durability = durability
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isLong()) await turn()
    const { isLoneWrite, inTransaction, checkPlace, patienceMs, makeRoom, synced } = this.#durability
    for (const began = performance.now(); ;) {
      try {
        const isWrite = isLoneWrite(query.sql)
        if (isWrite) checkPlace()
        const result = await this.#connection.executeQuery<R>(query)
        if (isWrite && !inTransaction()) await synced()
        return result
      } catch (error) {
        // Of a transaction, nothing is left to go on with.
        if (isDatabaseFull(error) && makeRoom() && isLoneWrite(query.sql)) continue
        if (!isSqliteBusy(error) || performance.now() - began > patienceMs()) throw error
        await delay(1 + Math.random() * 4)
      }
    }
  }

  #isLong(): boolean {
    const now = performance.now()
    if (this.#since !== undefined) return now - this.#since > maxInARowMs
    this.#since = now
    setImmediate(() => (this.#since = undefined))
    return false
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery(query, chunkSize)
  }
}

/**
 * Takes the write lock when a transaction begins: a transaction that reads first could otherwise fail at its write.
 * Its caller waits for `synced` at the end.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #durability: Durability
  #connection: DatabaseConnection | undefined

  constructor(config: SqliteDialectConfig, durability: Durability) {
    super(config)
    this.#durability = durability
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return (this.#connection ??= new PatientConnection(await super.acquireConnection(), this.#durability))
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#durability.checkPlace()
    await super.commitTransaction(connection)
  }

  /** Where SQLite has rolled back already, asking it again would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#durability.inTransaction()) await super.rollbackTransaction(connection)
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
  readonly #durability: Durability

  constructor(config: SqliteDialectConfig, durability: Durability) {
    super(config)
    this.#config = config
    this.#durability = durability
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config, this.#durability)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

/** The file with its prepared statements kept: preparing costs more than running most of ours. */
function withPreparedStatements(file: Sqlite.Database) {
  const statements = new Map<string, Sqlite.Statement>()
  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= maxStatements) statements.clear()
    const statement = file.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const close = () => void file.close()
  return { close, prepare } satisfies SqliteDatabase
}

/** The file of `sqlite:./relative`, `sqlite:///relative` or `sqlite:////absolute`; null for `sqlite::memory:`. */
export function sqlitePathOf(url: string): string | null {
  const path = url.slice('sqlite:'.length).replace(/^\/\/\//, '')
  return path === ':memory:' || path === '' ? null : resolve(path)
}

/**
 * Opens a database file, creating it and its folder when missing. What `transact` or a single statement writes is on
 * disk when it returns.
 * @throws when the file cannot be opened or is not a database
 */
export function openSqlite(url: string): Database {
  const path = sqlitePathOf(url)
  if (path) mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = new Sqlite(path ?? ':memory:')
  file.pragma('journal_mode = WAL')
  file.pragma('synchronous = NORMAL')
  file.pragma(`wal_autocheckpoint = ${pagesOfLog}`)
  file.pragma('foreign_keys = ON')
  file.pragma('temp_store = MEMORY')
  file.pragma('busy_timeout = 0')
  const log = path === null ? undefined : createWalSync(path)
  const synced = async () => log?.sync()
  const prepared = withPreparedStatements(file)
  const checkPlace = path === null ? () => undefined : watchPlace(path)
  const reserve = path === null ? undefined : createReserve(`${path}-reserve`)
  let isRewriting = false
  const durability = {
    checkPlace,
    makeRoom: () => reserve?.release() ?? false,
    patienceMs: () => (isRewriting ? Infinity : maxWaitMs),
    inTransaction: () => file.inTransaction,
    isLoneWrite: (text: string) => !file.inTransaction && !prepared.prepare(text).readonly,
    synced,
  }
  const db = new Kysely<Tables>({ dialect: new ImmediateDialect({ database: prepared }, durability) })
  const { emit, on } = createListeners()
  return {
    db,
    engine: 'sqlite',
    shownUrl: url,
    path,
    signals: { notify: async (tx, signal) => afterCommit(tx, () => emit(signal)), on },
    synced,
    checkPlace,
    scrub: async (_tables, signal) => {
      if (path === null) return
      isRewriting = true
      await rewriteFile(path, signal).finally(() => (isRewriting = false))
    },
    reserve: reserve ?? noReserve,
    close: async () => {
      await log?.close()
      await db.destroy()
      // Kysely does not close a file on which no query was made.
      file.close()
    },
  }
}
