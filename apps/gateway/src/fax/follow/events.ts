import type { FaxEvent, InboundEvent } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { AuditEntry } from '../../base/events/facts.ts'
import { readEntries, type TrailEntry } from '../../base/events/trail.ts'
import type { Actor } from '../../base/http/callers/keys.ts'
import { isVisible, visibleIn } from '../../access/visible.ts'
import type { FollowedKind } from './kinds.ts'

const replayMs = 24 * 3_600_000

/** What a reader follows: events of some types, of the faxes they see. */
export interface Following {
  reader: Actor
  kinds: readonly FollowedKind[]
  /** Undefined for all of these kinds. */
  types?: ReadonlySet<string> | undefined
}

/**
 * The id of an event: its fax, and the beginning of the entry's hash. It is the same for ever and for every reader, and
 * says nothing of how much else is recorded.
 */
const idOf = ({ job_id: jobId, hash }: Pick<TrailEntry, 'job_id' | 'hash'>) => `${jobId}.${hash.slice(0, 16)}`

/** The place of an event in the trail; undefined when this reader never saw one with this id, or it is too old. */
export async function placeOf(
  context: GatewayContext,
  id: string,
  { reader, kinds }: Following,
): Promise<number | undefined> {
  const faxId = /^([0-9a-f]{32})\.[0-9a-f]{16}$/.exec(id)?.[1]
  if (faxId === undefined) return undefined
  const { database, now } = context
  const since = new Date(now().getTime() - replayMs).toISOString()
  for (const kind of kinds) {
    const fax = (await kind.read(context, [faxId])).get(faxId)
    if (!fax || !isVisible(kind.visible(reader), fax.owned)) continue
    const entries = await database.db
      .selectFrom('audit_events')
      .select(['seq', 'hash', 'job_id'])
      .where('job_id', '=', faxId)
      .where('ts', '>=', since)
      .execute()
    return entries.find((entry) => idOf(entry) === id)?.seq
  }
  return undefined
}

/** Entries after a place that report on faxes somebody sees, in order. */
export function readMissed({ database }: GatewayContext, after: number, { reader, kinds }: Following, limit: number) {
  const { db } = database
  return readEntries(database, after, limit)
    .where((eb) =>
      eb.or(
        kinds.map(({ names, table, visible }) => {
          const seen = visibleIn(visible(reader), table)
          const named = eb('event', 'in', names)
          return seen ? eb.and([named, eb('job_id', 'in', db.selectFrom(table).select('id').where(seen))]) : named
        }),
      ),
    )
    .execute()
}

type Readings = Map<FollowedKind, ReturnType<FollowedKind['read']>>
const readings = new WeakMap<readonly TrailEntry[], Readings>()

/** The faxes of a kind that entries report on. Readers of the same entries share one reading. */
function readOnce(context: GatewayContext, entries: readonly TrailEntry[], kind: FollowedKind) {
  const shared: Readings = readings.get(entries) ?? new Map()
  readings.set(entries, shared)
  const reading = shared.get(kind) ?? readFaxes(context, entries, kind)
  shared.set(kind, reading)
  return reading
}

async function readFaxes(context: GatewayContext, entries: readonly TrailEntry[], { names, read }: FollowedKind) {
  const ids = new Set(entries.flatMap(({ event, job_id: id }) => (id !== null && names.includes(event) ? [id] : [])))
  return ids.size === 0 ? new Map<string, never>() : read(context, [...ids])
}

/** The events that entries of the trail are for somebody. */
export async function eventsOf(
  context: GatewayContext,
  entries: readonly TrailEntry[],
  { reader, kinds, types }: Following,
): Promise<{ event: FaxEvent | InboundEvent; seq: number }[]> {
  const faxes = await Promise.all(kinds.map((kind) => readOnce(context, entries, kind)))
  return entries.flatMap((entry) => {
    const at = kinds.findIndex(({ names }) => names.includes(entry.event))
    const [kind, fax] = [kinds[at], faxes[at]?.get(entry.job_id ?? '')]
    if (!kind || !fax || !isVisible(kind.visible(reader), fax.owned)) return []
    const recorded: AuditEntry = { ...(JSON.parse(entry.fields) as object), ts: entry.ts, event: entry.event }
    const type = kind.typeOf(recorded)
    if (!type || types?.has(type) === false) return []
    const shown = { fax: fax.present(reader.permissions) }
    const event = { id: idOf(entry), type, timestamp: entry.ts, ...shown } as FaxEvent | InboundEvent
    return [{ event, seq: entry.seq }]
  })
}
