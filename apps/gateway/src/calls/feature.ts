import { createHash } from 'node:crypto'
import { maskNumber } from '@faxdeck/contract'
import type { CallOptions } from '@faxdeck/provider-kit'
import type { NumberMemoryRow } from '../db/tables/calls.ts'
import type { GatewayContext } from '../context.ts'
import type { Feature } from '../feature.ts'
import type { Handlers } from '../http/handler.ts'
import { readChannels } from './channels.ts'
import { countLineHours, readLineUse } from './line-hours.ts'
import { expireNumbers, forgetNumbers, listNumbers, memoryMs } from './number-memory.ts'
import { readCallReport } from './report.ts'

const mostNumbers = 500
const countAgainMs = 60_000

/** Names what is remembered of a number without telling the number. */
const idOf = ({ provider, number }: Pick<NumberMemoryRow, 'provider' | 'number'>) =>
  createHash('sha256').update(`${provider}\0${number}`).digest('hex').slice(0, 32)

function presentNumber(row: NumberMemoryRow) {
  const { number, provider: backend, learned_at } = row
  const expires_at = new Date(Date.parse(learned_at) + memoryMs).toISOString()
  const options = JSON.parse(row.options) as CallOptions
  return { id: idOf(row), number: maskNumber(number), backend, options, learned_at, expires_at }
}

function callHandlers({ database, providers, now }: GatewayContext) {
  let countedAt = 0
  /** The present hour counts too; it is counted anew once a minute at most, however often somebody looks. */
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
    listCallNumbers: async () => (await listNumbers(database, now(), mostNumbers)).map(presentNumber),
    forgetCallNumber: async ({ params }) => {
      const found = (await listNumbers(database, now(), Number.MAX_SAFE_INTEGER)).find((row) => idOf(row) === params.id)
      if (found) await forgetNumbers(database.db, found)
    },
    forgetCallNumbers: async () => {
      await forgetNumbers(database.db, 'all')
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
