import { maskNumber } from '@faxdeck/contract'
import type { CallOptions } from '@faxdeck/provider-kit'
import type { NumberMemoryRow } from '../../base/db/tables/calls.ts'
import { transact } from '../../base/db/transact.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { readChannels } from './channels.ts'
import { countLineHours, readLineUse } from './line-hours.ts'
import { expireNumbers, forgetNumbers, listNumbers, memoryMs } from './number-memory.ts'
import { readCallReport } from './report.ts'

const maxNumbers = 500
const countAgainMs = 60_000

type Remembered = Pick<NumberMemoryRow, 'provider' | 'number'>

/** Names what is remembered of a number. A plain hash could be undone by trying all numbers. */
const idOf = ({ settings }: GatewayContext, { provider, number }: Remembered) =>
  settings.seals.fingerprint(`${provider} ${number}`)

function presentNumber(context: GatewayContext, row: NumberMemoryRow) {
  const { number, provider: backend, learned_at } = row
  const expires_at = new Date(Date.parse(learned_at) + memoryMs).toISOString()
  const options = JSON.parse(row.options) as CallOptions
  return { id: idOf(context, row), number: maskNumber(number), backend, options, learned_at, expires_at }
}

const forget = ({ database, events }: GatewayContext, which: Remembered | 'all', key_id: string): Promise<void> =>
  transact(database, async (tx) => {
    await events.numbersForgotten({ key_id, count: await forgetNumbers(tx, which) }, tx)
  })

function callHandlers(context: GatewayContext) {
  const { database, providers, now } = context
  let countedAt = 0
  /** The present hour counts too; it is counted again once a minute at most, however often somebody looks. */
  const count = async () => {
    const at = now().getTime()
    if (at - countedAt < countAgainMs) return
    countedAt = at
    await countLineHours(database, now())
  }
  return {
    getCallReport: () => readCallReport(database),
    getLines: async () => {
      const allowedOf = (id: string) => (providers.find(id) ? providers.concurrency(id) : 0)
      await count()
      return {
        channels: await readChannels({ database, providers, now }),
        use: await readLineUse(database, allowedOf, now()),
      }
    },
    listCallNumbers: async () => {
      const rows = await listNumbers(database, now(), maxNumbers)
      return rows.map((row) => presentNumber(context, row))
    },
    forgetCallNumber: async ({ params, caller }) => {
      const rows = await listNumbers(database, now(), Number.MAX_SAFE_INTEGER)
      const found = rows.find((row) => idOf(context, row) === params.id)
      if (found) await forget(context, found, caller.keyId)
    },
    forgetCallNumbers: async ({ caller }) => {
      await forget(context, 'all', caller.keyId)
    },
  } satisfies Partial<Handlers>
}

/** What telephone calls did: reports, channels, and what is remembered of numbers. */
export function createCalls(context: GatewayContext) {
  const { database, now } = context
  return {
    name: 'calls',
    routes: callHandlers(context),
    expire: async () => {
      await expireNumbers(database, now())
      await countLineHours(database, now())
    },
  } satisfies Feature
}
