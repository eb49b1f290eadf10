import type { Transaction } from 'kysely'
import type { Tables } from './tables/tables.ts'

/** An open transaction. */
export type Tx = Transaction<Tables>
