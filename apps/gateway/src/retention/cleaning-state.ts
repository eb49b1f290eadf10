import type { Kysely } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { CleaningStateRow } from '../db/tables/retention.ts'
import type { Tables } from '../db/tables/tables.ts'

/** What deletions go by, and whether they are announced or paused. */
export const readCleaning = (db: Kysely<Tables> | Tx): Promise<CleaningStateRow> =>
  db.selectFrom('cleaning_state').selectAll().executeTakeFirstOrThrow()
