import type { Database, Tx } from '../../base/db/database.ts'
import type { PriceRow } from '../../base/db/tables/reports.ts'

/** Every price, by provider and direction, the newest first. */
export const listPriceRows = ({ db }: Database): Promise<PriceRow[]> =>
  db
    .selectFrom('prices')
    .selectAll()
    .orderBy('provider')
    .orderBy('direction', 'desc')
    .orderBy('valid_from', 'desc')
    .execute()

/** Keeps a price in place of the one of the same provider, direction and day. */
export async function upsertPrice(tx: Tx, row: PriceRow): Promise<PriceRow> {
  const { currency, per_page, per_minute, per_call, saved_at } = row
  const saved = tx
    .insertInto('prices')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'direction', 'valid_from'])
        .doUpdateSet({ currency, per_page, per_minute, per_call, saved_at }),
    )
  return saved.returningAll().executeTakeFirstOrThrow()
}

/** @returns the price that was removed; undefined when there was none */
export const deletePrice = (tx: Tx, id: string): Promise<PriceRow | undefined> =>
  tx.deleteFrom('prices').where('id', '=', id).returningAll().executeTakeFirst()
