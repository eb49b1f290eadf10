import { acquireInbound } from './acquire.ts'
import type { InboundDoors } from './doors.ts'
import { expireInbound } from './expire.ts'
import type { Inbound } from './inbound.ts'
import { leftBehindSentence, listLeftBehind } from './left-behind.ts'
import { receiveFax } from './receive.ts'
import { inboundHandlers } from './routes.ts'
import { inboundTotals, listConcerns, listFailed } from './store.ts'

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
    unclear: async (most) =>
      (await listConcerns(doors.database.db, most)).map(({ id, from_number: from, concern, received_at: at }) => ({
        id,
        from,
        sentence: concern ?? '',
        at,
      })),
    leftBehind: async () => {
      const isOff = !doors.settings().inbound_enabled
      return (await listLeftBehind(doors)).map((left) => leftBehindSentence(left, isOff))
    },
    expire: () => expireInbound(doors),
  }
}
