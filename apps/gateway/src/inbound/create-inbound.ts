import { acquireInbound } from './acquire.ts'
import type { InboundDoors } from './doors.ts'
import { expireInbound } from './expire.ts'
import type { Inbound } from './inbound.ts'
import { receiveFax } from './receive.ts'
import { inboundHandlers } from './routes.ts'
import { inboundTotals, listFailed } from './store.ts'

/** The beginning of the day where the gateway stands. */
function startOfDay(now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString()
}

/** Receiving, put together. */
export function createInbound(doors: InboundDoors): Inbound {
  return {
    handlers: inboundHandlers(doors),
    work: (claim, signal) => acquireInbound(doors, claim, signal),
    receive: (provider, fax) => receiveFax(doors, provider, fax),
    totals: () => inboundTotals(doors.database.db, startOfDay(doors.now?.() ?? new Date())),
    failures: async (since, most) =>
      (await listFailed(doors.database.db, since, most)).map(({ id, from_number: from, error, updated_at: at }) => ({
        id,
        from,
        sentence: error ?? 'The fax failed.',
        at,
      })),
    expire: () => expireInbound(doors),
  }
}
