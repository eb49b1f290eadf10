import type { Kysely, Transaction } from 'kysely'
import type { Signals } from './signals.ts'
import type { Tables } from './tables.ts'

export type Engine = 'sqlite' | 'postgres'

/** An open transaction. */
export type Tx = Transaction<Tables>

/** An open database of either engine. */
export interface Database {
  readonly db: Kysely<Tables>
  readonly engine: Engine
  /** The address without user and password. */
  readonly shownUrl: string
  /** The database file; null in memory and on PostgreSQL. */
  readonly path: string | null
  readonly signals: Signals
  close: () => Promise<void>
}
