import type { GatewayContext } from '../../base/context.ts'
import { inboundTotals, listConcerns, listFailed } from './store.ts'
import { inboundId } from './receive.ts'

const dayMs = 24 * 3_600_000
/** Each brings a fax again about hourly: so many notices are those of thousands of faxes. */
const maxNotices = 5000
const atOnce = 500

/** The faxes of a provider that were brought while receiving was off, and have not arrived since. */
interface LeftBehind {
  /** The provider's name, for people. */
  provider: string
  faxes: number
  /** When the first of them was brought, ISO. */
  since: string
}

async function arrivedOf({ database: { db } }: GatewayContext, ids: readonly string[]): Promise<Set<string>> {
  const arrived = new Set<string>()
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce)
    const rows = await db.selectFrom('inbound_faxes').select('id').where('id', 'in', some).execute()
    for (const { id } of rows) arrived.add(id)
  }
  return arrived
}

/** Reads from the audit trail which faxes were left with their provider in the last 24 hours. */
async function listLeftBehind(context: GatewayContext): Promise<LeftBehind[]> {
  const since = new Date(context.now().getTime() - dayMs).toISOString()
  const notices = await context.events.list({ event: 'inbound_declined', since, limit: maxNotices })
  // Newest first: the time that remains of each fax is that of its first notice.
  const brought = new Map(
    notices.map(({ ts, backend, provider_id: fax }) => [
      inboundId(String(backend), String(fax)),
      { ts, backend: String(backend) },
    ]),
  )
  const arrived = await arrivedOf(context, [...brought.keys()])
  const left = [...brought].flatMap(([id, notice]) => (arrived.has(id) ? [] : [notice]))
  return Object.entries(Object.groupBy(left, ({ backend }) => backend)).map(([backend, notices = []]) => ({
    provider: context.providers.find(backend)?.name ?? backend,
    faxes: notices.length,
    since: notices.map(({ ts }) => ts).toSorted()[0] ?? since,
  }))
}

/** What is so, and what to do. @param isOff whether receiving is off now */
function leftBehindSentence({ provider, faxes, since }: LeftBehind, isOff: boolean): string {
  const some = faxes === 1 ? '1 fax' : `${faxes} faxes`
  const at = `${since.slice(0, 16).replace('T', ' ')} UTC`
  return isOff
    ? `${provider} has tried to deliver ${some} since ${at} while receiving is off. Turn on inbound under Settings, Inbound Receiving. Providers retry for a day or longer.`
    : `${provider} tried to deliver ${some} from ${at} on while receiving was off, and has not tried ${faxes === 1 ? 'it' : 'them'} again yet. Compare with the list at ${provider}.`
}

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
