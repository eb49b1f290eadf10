import { randomBytes } from 'node:crypto'
import type { Price } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { PriceRow } from '../../base/db/tables/reports.ts'
import { transact } from '../../base/db/transact.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { deletePrice, listPriceRows, upsertPrice } from './price-store.ts'

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
