import type { BroadcastCounts } from '@faxdeck/contract'
import type { Database, Tx } from '../../base/db/database.ts'
import type { BroadcastRow } from '../../base/db/tables/broadcasts.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { hasNoFax } from '../../fax/read/copies.ts'
import { outcomeOf } from '../../fax/move/job-states.ts'
import { partsOf, visibleIn, type VisibleFaxes } from '../../access/visible.ts'
import type { Place } from '../../base/http/answers/cursor.ts'

type Db = Database['db'] | Tx

const noFaxes = (): BroadcastCounts => ({
  queued: 0,
  in_progress: 0,
  delivered: 0,
  failed: 0,
  cancelled: 0,
  unconfirmed: 0,
})

/** How the faxes of broadcasts stand, by the id of the broadcast. An index alone answers. */
export async function readCounts(db: Db, ids: readonly string[]): Promise<Map<string, BroadcastCounts>> {
  const counts = new Map(ids.map((id) => [id, noFaxes()]))
  if (ids.length === 0) return counts
  const rows = await db
    .selectFrom('fax_jobs')
    .select(['broadcast_id', 'phase', 'error_kind', (eb) => eb.fn.countAll<number | string>().as('n')])
    .where('broadcast_id', 'is not', null)
    .where('broadcast_id', 'in', ids)
    .groupBy(['broadcast_id', 'phase', 'error_kind'])
    .execute()
  for (const { broadcast_id: id, n, ...job } of rows) {
    const of = counts.get(id ?? '')
    if (of) of[outcomeOf(job)] += Number(n)
  }
  return counts
}

/** Those of the broadcasts with a fax that an account in test mode took. */
export async function readTested(db: Db, ids: readonly string[]): Promise<Set<string | null>> {
  const faxes = db.selectFrom('fax_jobs').select('broadcast_id').where('broadcast_id', 'is not', null)
  const some =
    ids.length === 0 ? [] : await faxes.where('broadcast_id', 'in', ids).where('is_test', '=', 1).distinct().execute()
  return new Set(some.map(({ broadcast_id: id }) => id))
}

export function findBroadcast(db: Db, id: string): Promise<BroadcastRow | undefined> {
  return db.selectFrom('broadcasts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The broadcast, which nobody else changes before the transaction ends. */
export function lockBroadcast(database: Database, tx: Tx, id: string): Promise<BroadcastRow | undefined> {
  const row = tx.selectFrom('broadcasts').selectAll().where('id', '=', id)
  return row.$if(database.engine === 'postgres', (query) => query.forUpdate()).executeTakeFirst()
}

/** Newest first, from a place on: those that somebody sees. What they sent and what each group has are merged. */
export async function readBroadcasts(
  db: Db,
  visible: VisibleFaxes,
  limit: number,
  after: Place | undefined,
): Promise<BroadcastRow[]> {
  const found = new Map<string, BroadcastRow>()
  for (const part of partsOf(visible)) {
    let query = db.selectFrom('broadcasts').selectAll()
    const seen = visibleIn(part, 'broadcasts')
    if (seen) query = query.where(seen)
    if (after) query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.value, after.id)))
    const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
    for (const row of rows) found.set(row.id, row)
  }
  const place = ({ created_at: at, id }: BroadcastRow) => `${at} ${id}`
  return [...found.values()].toSorted((a, b) => (place(a) < place(b) ? 1 : -1)).slice(0, limit)
}

/**
 * Its faxes that ended in failure and may be sent again: none of which a part may have arrived, none that was canceled,
 * and none that was sent again since.
 */
export function failedFaxes(db: Db, id: string) {
  return db
    .selectFrom('fax_jobs as job')
    .where('job.broadcast_id', '=', id)
    .where('job.phase', '=', 'failed')
    .where('job.error_kind', '<>', 'cancelled')
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('fax_jobs as again').select('again.id').whereRef('again.parent_id', '=', 'job.id')),
      ),
    )
}

/** How many of those go out again unasked, and how many only with `force`. */
export async function countFailed(db: Db, id: string): Promise<{ resendable: number; number_failed: number }> {
  const counted = await failedFaxes(db, id)
    .where('job.document_key', 'is not', null)
    .select(['job.status', 'job.error_kind', 'job.error', (eb) => eb.fn.countAll<number | string>().as('n')])
    .groupBy(['job.status', 'job.error_kind', 'job.error'])
    .execute()
  const sum = (isAsked: boolean) =>
    counted.filter((each) => hasNoFax(each) === isAsked).reduce((all, { n }) => all + Number(n), 0)
  return { resendable: sum(false), number_failed: sum(true) }
}

/** A fax of a broadcast with whom it is for. */
export type RecipientOfJob = FaxJobRow & { n: number; name: string | null }

/** The recipients of a broadcast with their faxes, in the order of its list, `limit` of them after place `after`. */
export function readRecipientJobs(db: Db, id: string, after: number, limit: number): Promise<RecipientOfJob[]> {
  return db
    .selectFrom('broadcast_recipients as recipient')
    .innerJoin('fax_jobs as job', 'job.id', 'recipient.job_id')
    .selectAll('job')
    .select(['recipient.n', 'recipient.name'])
    .where('recipient.broadcast_id', '=', id)
    .where('recipient.n', '>', after)
    .orderBy('recipient.n')
    .limit(limit)
    .execute()
}
