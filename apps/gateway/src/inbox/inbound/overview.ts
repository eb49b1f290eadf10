import type { GatewayContext } from '../../base/context.ts'
import { leftBehindSentence, listLeftBehind } from './left-behind.ts'
import { inboundTotals, listConcerns, listFailed } from './store.ts'

/** A received fax that a person should look at. */
export interface InboundConcern {
  id: string
  from: string | null
  sentence: string
  at: string
}

/** How many faxes came today, by the clock of this machine, and how many nobody has read. */
export function countInbound({ database, now }: GatewayContext): Promise<{ today: number; unread: number }> {
  const at = now()
  const startOfDay = new Date(at.getFullYear(), at.getMonth(), at.getDate())
  return inboundTotals(database.db, startOfDay.toISOString())
}

/** Received faxes that failed since an instant (ISO), newest first. */
export async function failedInbound(
  { database }: GatewayContext,
  since: string,
  limit: number,
): Promise<InboundConcern[]> {
  const faxes = await listFailed(database.db, since, limit)
  return faxes.map(({ id, from_number: from, error, updated_at: at }) => {
    return { id, from, sentence: error ?? 'The fax failed.', at }
  })
}

/** Received faxes of which nobody knows how they ended, until a person has looked, newest first. */
export async function unclearInbound({ database }: GatewayContext, limit: number): Promise<InboundConcern[]> {
  const faxes = await listConcerns(database.db, limit)
  return faxes.map(({ id, from_number: from, concern, received_at: at }) => ({ id, from, sentence: concern ?? '', at }))
}

/** One sentence for each provider that brought faxes while receiving was off, which have not arrived since. */
export async function inboundLeftBehind(context: GatewayContext): Promise<string[]> {
  const isOff = !context.settings.current().inbound_enabled
  return (await listLeftBehind(context)).map((left) => leftBehindSentence(left, isOff))
}
