import type { Kysely } from 'kysely'
import type { Signals } from './signals.ts'
import type { Tables } from './tables/tables.ts'

export type Engine = 'sqlite' | 'postgres'

export type { Tx } from './tx.ts'

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
  close: () => Promise<void>
}
