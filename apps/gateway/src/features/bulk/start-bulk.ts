import { type BulkAction, type BulkKind, maxBulk } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import { insertAll } from '../../base/db/insert-all.ts'
import type { BulkActionRow } from '../../base/db/tables/bulk.ts'
import { transact } from '../../base/db/transact.ts'
import { grouped } from '../../base/grouped.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { JobFilter } from '../../fax/read/job-filter.ts'
import { findAble } from './able-jobs.ts'

/** Queued work that carries out a bulk action, a part at a time. */
export const bulkWork = 'bulk'
const bulkLane = 'bulk'

interface BulkRequest {
  id: string
  action: BulkKind
  filter: JobFilter
  confirmed: number
  force?: boolean | undefined
}

export function presentBulk(row: BulkActionRow): BulkAction {
  const { id, action, total, done, refused, refusal, created_at, finished_at } = row
  return { id, action, total, done, refused, refusal, created_at, finished_at }
}

export const findBulk = ({ database: { db } }: GatewayContext, id: string): Promise<BulkActionRow | undefined> =>
  db.selectFrom('bulk_actions').selectAll().where('id', '=', id).executeTakeFirst()

const inWords = (count: number) => (count === 1 ? '1 fax' : `${grouped(count)} faxes`)

/** The search is left out: its words may name a person. Whether faxes are sent again regardless stands beside it. */
function storedFilter({ filter: { q, ...filter }, force }: Pick<BulkRequest, 'filter' | 'force'>): string {
  return JSON.stringify({ ...filter, ...(force && { force }) })
}

/** Whether faxes are sent again that a single call refuses. */
export const isForced = ({ filter }: BulkActionRow): boolean => (JSON.parse(filter) as BulkRequest).force === true

/** @throws {Problem} `conflict` when the id was used for something else */
function sameAction(row: BulkActionRow, asked: BulkRequest): BulkActionRow {
  if (row.action === asked.action && row.filter === storedFilter(asked)) return row
  throw new Problem('conflict', 'This id belongs to another bulk action. Choose a new one.')
}

/**
 * Begins to do the same with all jobs that fit a filter. Exactly those that fit now are changed, and never more than a
 * person agreed to. The same request again answers with what it began.
 * @throws {Problem} `conflict` when there are more now than were confirmed, or none
 */
export async function startBulk(context: GatewayContext, asked: BulkRequest, by: string): Promise<BulkActionRow> {
  const known = await findBulk(context, asked.id)
  if (known) return sameAction(known, asked)
  const { id, action, filter, confirmed, force } = asked
  // Before anything is looked at: what another action does from here on is seen when a fax's turn comes.
  const begunAt = context.now()
  const { ids, isMinimum } = await findAble(context, action, filter, { limit: Math.min(confirmed, maxBulk), force })
  if (isMinimum) {
    const sentence = `More than the ${inWords(confirmed)} you confirmed match now. Count again and confirm the new number.`
    throw new Problem('conflict', sentence)
  }
  if (ids.length === 0)
    throw new Problem('conflict', 'This is no longer possible for any of these faxes. Refresh the list.')
  const row: BulkActionRow = {
    id,
    action,
    filter: storedFilter(asked),
    key_id: by,
    total: ids.length,
    done: 0,
    refused: 0,
    refusal: null,
    created_at: begunAt.toISOString(),
    finished_at: null,
  }
  const parts = ids.map((job, at) => ({ bulk_id: id, n: at + 1, job_ids: job }))
  return transact(context.database, async (tx) => {
    // Two requests at once: the database lets one of them write it.
    const written = await tx
      .insertInto('bulk_actions')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst()
    if (written.numInsertedOrUpdatedRows === 0n) {
      return sameAction(
        await tx.selectFrom('bulk_actions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
        asked,
      )
    }
    await insertAll(tx, 'bulk_parts', parts)
    // Two that send again may have a fax in common: the second one comes when the first is done, and passes it over.
    const work = { kind: bulkWork, subjectId: id, lane: bulkLane, exclusive: `bulk ${action}` }
    await context.queue.enqueue(tx, [work])
    await context.events.bulkStarted({ bulk: id, action, jobs: ids.length, key_id: by }, tx)
    return row
  })
}

const reason =
  'The database was restored from a backup, and the rest of this action may have been carried out since then. Begin it again for what is still to do.'
/** What the audit trail names in place of a key. */
const by = 'restore'

/**
 * Ends bulk actions that send faxes and were under way: our records are of an earlier time, and what they have left may
 * have been done since. Canceling goes on, because it sends nothing.
 * @returns how many
 */
export function stopSending({
  database,
  events,
  now,
}: Pick<GatewayContext, 'database' | 'events' | 'now'>): Promise<number> {
  return transact(database, async (tx) => {
    const stopped = await tx
      .updateTable('bulk_actions')
      .set((eb) => ({ finished_at: now().toISOString(), refused: eb('total', '-', eb.ref('done')), refusal: reason }))
      .where('finished_at', 'is', null)
      .where('action', 'in', ['resend', 'release'])
      .returning('id')
      .execute()
    for (const { id } of stopped) {
      await tx.deleteFrom('bulk_parts').where('bulk_id', '=', id).execute()
      await events.bulkStopped({ bulk: id, key_id: by }, tx)
    }
    return stopped.length
  })
}
