import type { FaxEvent } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { AuditEntry } from '../../base/events/facts.ts'
import { readEntries, type TrailEntry } from '../../base/events/trail.ts'
import { readCodes } from '../../paper/page-text/codes.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import { presentFax } from '../read/present.ts'
import { withPause } from '../read/read-job.ts'
import { isVisible, visibleIn, type VisibleFaxes } from '../../access/visible.ts'

const replayMs = 24 * 3_600_000

/** The event of a fax that an entry of the audit trail reports on; undefined for all others. */
function typeOf({ event, state, outcome }: AuditEntry): FaxEvent['type'] | undefined {
  switch (event) {
    case 'job_created':
    case 'job_released':
      return 'fax.queued'
    case 'job_dispatch':
      return 'fax.sending'
    case 'job_updated':
      return state === 'delivered' || state === 'uncertain' ? `fax.${state}` : 'fax.updated'
    case 'job_failed':
    case 'job_cancelled':
      return 'fax.failed'
    case 'job_resolved':
      return outcome === 'delivered' || outcome === 'failed' ? `fax.${outcome}` : 'fax.queued'
    case 'job_conflict':
      return 'fax.updated'
    default:
      return undefined
  }
}

const names = [
  'job_created',
  'job_released',
  'job_dispatch',
  'job_updated',
  'job_failed',
  'job_cancelled',
  'job_resolved',
  'job_conflict',
]

/**
 * The id of an event: its fax, and the beginning of the entry's hash. It is the same for ever and for every reader, and
 * says nothing of how much else is recorded.
 */
const idOf = ({ job_id: jobId, hash }: Pick<TrailEntry, 'job_id' | 'hash'>) => `${jobId}.${hash.slice(0, 16)}`

/** The place of an event in the trail; undefined when this reader never saw one with this id, or it is too old. */
export async function placeOf(
  { database, now }: GatewayContext,
  id: string,
  visible: VisibleFaxes,
): Promise<number | undefined> {
  const jobId = /^([0-9a-f]{32})\.[0-9a-f]{16}$/.exec(id)?.[1]
  if (jobId === undefined) return undefined
  const since = new Date(now().getTime() - replayMs).toISOString()
  const entries = await database.db
    .selectFrom('audit_events as entry')
    .innerJoin('fax_jobs as job', 'job.id', 'entry.job_id')
    .select(['entry.seq', 'entry.hash', 'entry.job_id', 'job.caller_key_id', 'job.group_id'])
    .where('entry.job_id', '=', jobId)
    .where('entry.ts', '>=', since)
    .execute()
  return entries.find((entry) => isVisible(visible, entry) && idOf(entry) === id)?.seq
}

/** Entries after a place that report on faxes somebody sees, in order. */
export function readMissed({ database }: GatewayContext, after: number, visible: VisibleFaxes, limit: number) {
  const entries = readEntries(database, after, limit).where('event', 'in', names)
  const seen = visibleIn(visible, 'fax_jobs')
  if (!seen) return entries.execute()
  const own = database.db.selectFrom('fax_jobs').select('id').where(seen)
  return entries.where('job_id', 'in', own).execute()
}

const readings = new WeakMap<readonly TrailEntry[], ReturnType<typeof readFaxes>>()

async function readFaxes({ database: { db } }: GatewayContext, entries: readonly TrailEntry[]) {
  const ids = new Set(entries.flatMap(({ event, job_id: id }) => (id !== null && names.includes(event) ? [id] : [])))
  if (ids.size === 0) return { jobs: new Map<string, never>(), codes: undefined }
  const [jobs, codes] = await Promise.all([
    db
      .selectFrom('fax_jobs')
      .selectAll()
      .where('id', 'in', [...ids])
      .execute(),
    readCodes(db, [...ids]),
  ])
  return { jobs: new Map(jobs.map((job) => [job.id, job])), codes }
}

/** The events that entries of the trail are for somebody. Readers of the same entries share one reading. */
export async function eventsOf(
  context: GatewayContext,
  entries: readonly TrailEntry[],
  visible: VisibleFaxes,
): Promise<{ event: FaxEvent; seq: number }[]> {
  const reading = readings.get(entries) ?? readFaxes(context, entries)
  readings.set(entries, reading)
  const { jobs, codes } = await reading
  return entries.flatMap((entry) => {
    const job = jobs.get(entry.job_id ?? '')
    if (!job || !isVisible(visible, job)) return []
    const type = typeOf({ ...(JSON.parse(entry.fields) as object), ts: entry.ts, event: entry.event })
    if (!type) return []
    const fax = presentFax(withPause(context, job), isTestFax(context.providers, job), codes?.get(job.id))
    return [{ event: { id: idOf(entry), type, timestamp: entry.ts, fax }, seq: entry.seq }]
  })
}
