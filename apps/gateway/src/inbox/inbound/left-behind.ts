import type { GatewayContext } from '../../base/context.ts'
import { inboundId } from './receive.ts'

const dayMs = 24 * 3_600_000
/** Each brings a fax again about hourly: so many notices are those of thousands of faxes. */
const maxNotices = 5000
const atOnce = 500

/** The faxes of a provider that were brought while receiving was off, and have not arrived since. */
export interface LeftBehind {
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
export async function listLeftBehind(context: GatewayContext): Promise<LeftBehind[]> {
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
export function leftBehindSentence({ provider, faxes, since }: LeftBehind, isOff: boolean): string {
  const some = faxes === 1 ? '1 fax' : `${faxes} faxes`
  const at = `${since.slice(0, 16).replace('T', ' ')} UTC`
  return isOff
    ? `${provider} has tried to deliver ${some} since ${at} while receiving is off. Turn on inbound under Settings, Inbound Receiving. Providers retry for a day or longer.`
    : `${provider} tried to deliver ${some} from ${at} on while receiving was off, and has not tried ${faxes === 1 ? 'it' : 'them'} again yet. Compare with the list at ${provider}.`
}
