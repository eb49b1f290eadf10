import type { Kysely } from 'kysely'
import type { Tx } from '../../base/db/database.ts'
import type { CleaningStateRow } from '../../base/db/tables/retention.ts'
import type { Tables } from '../../base/db/tables/tables.ts'

/** What deletions go by, and whether they are announced or paused. */
export const readCleaning = (db: Kysely<Tables> | Tx): Promise<CleaningStateRow> =>
  db.selectFrom('cleaning_state').selectAll().executeTakeFirstOrThrow()
