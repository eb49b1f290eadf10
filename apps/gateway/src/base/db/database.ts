import type { Kysely } from 'kysely'
import type { Reserve } from './reserve.ts'
import type { Signals } from './signals.ts'
import type { Tables } from './tables/tables.ts'

export type Engine = 'sqlite' | 'postgres'

export type { Tx } from './tx.ts'

/** What reads: the database, or a transaction that is under way. */
export type Reader = Kysely<Tables>

/** An open database of either engine. */
export interface Database {
  readonly db: Kysely<Tables>
  readonly engine: Engine
  /** The address without user and password. */
  readonly shownUrl: string
  /** The database file; null in memory and on PostgreSQL. */
  readonly path: string | null
  readonly signals: Signals
  /** Resolves when everything committed before the call would survive a power cut. */
  synced: () => Promise<void>
  /**
   * Whether the file that is open is still the one at its path. Nothing is written otherwise. On PostgreSQL it always is.
   * @throws {DatabaseMoved} with a sentence
   */
  checkPlace: () => void
  /**
   * Overwrites what was deleted from tables, or changed in them, so that the files of the database hold it no more: all of
   * a SQLite file and its log, and on PostgreSQL the files of these tables, but not its write-ahead log.
   * @throws what the database refused, such as a full disk; nothing is changed then
   */
  scrub: (tables: readonly (keyof Tables)[], signal: AbortSignal) => Promise<void>
  readonly reserve: Reserve
  close: () => Promise<void>
}
