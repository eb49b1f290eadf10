import { randomBytes } from 'node:crypto'
import type { Price } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { PriceRow } from '../../base/db/tables/reports.ts'
import { transact } from '../../base/db/transact.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { Database, Tx } from '../../base/db/database.ts'

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
async function upsertPrice(tx: Tx, row: PriceRow): Promise<PriceRow> {
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
const deletePrice = (tx: Tx, id: string): Promise<PriceRow | undefined> =>
  tx.deleteFrom('prices').where('id', '=', id).returningAll().executeTakeFirst()

const present = ({ provider: backend, ...row }: PriceRow): Price => ({ backend, ...row })
const factsOf = ({ provider: backend, direction, valid_from }: PriceRow) => ({ backend, direction, valid_from })

/** What providers charge: reading, setting and removing it. */
export function priceHandlers({ database, events, providers, now }: GatewayContext) {
  return {
    listPrices: async () => (await listPriceRows(database)).map(present),
    savePrice: async ({ body: { backend, ...terms }, caller }) => {
      const known = providers.find(backend)
      if (!known || known.kind === 'builtin') {
        throw new Problem('bad_request', `There is no provider "${backend}" that could charge for faxes.`)
      }
      const row = { id: randomBytes(16).toString('hex'), provider: backend, ...terms, saved_at: now().toISOString() }
      return transact(database, async (tx) => {
        const saved = await upsertPrice(tx, row)
        await events.priceSaved({ key_id: caller.keyId, ...factsOf(saved) }, tx)
        return present(saved)
      })
    },
    removePrice: ({ params, caller }) =>
      transact(database, async (tx) => {
        const removed = await deletePrice(tx, params.id)
        if (removed) await events.priceRemoved({ key_id: caller.keyId, ...factsOf(removed) }, tx)
        return undefined
      }),
  } satisfies Partial<Handlers>
}
