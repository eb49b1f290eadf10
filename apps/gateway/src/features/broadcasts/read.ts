import type { Broadcast, BroadcastCounts, BroadcastDetail, RefusedRow } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { BroadcastRow } from '../../base/db/tables/broadcasts.ts'
import { isVisible, visibleFaxes } from '../../access/visible.ts'
import type { Caller } from '../../base/http/handler.ts'
import { readCursor, writeCursor } from '../../base/http/answers/cursor.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { isTestLine } from '../../base/providers/test-line.ts'
import { countFailed, findBroadcast, readBroadcasts, readCounts, readTested } from './store.ts'

function stateOf(row: BroadcastRow, { queued, in_progress: underWay }: BroadcastCounts): Broadcast['state'] {
  if (queued + underWay === 0) return 'finished'
  if (row.cancelled_at !== null) return 'cancelling'
  return row.paused_at === null ? 'sending' : 'paused'
}

const skippedOf = (row: BroadcastRow) => JSON.parse(row.refused) as RefusedRow[]

function present(
  { providers }: GatewayContext,
  row: BroadcastRow,
  counts: BroadcastCounts,
  tested: ReadonlySet<string | null>,
): Broadcast {
  const { id, faxes, duplicates, file_name, pages, parent_id, cancelled_at, created_at } = row
  return {
    id,
    state: stateOf(row, counts),
    faxes,
    counts,
    duplicates,
    skipped: skippedOf(row).length,
    file_name,
    pages,
    test: tested.has(id) || isTestLine(providers, row.backend),
    parent_id,
    cancelled_at,
    created_at,
  }
}

/** The broadcast, for whoever may see it. @throws {Problem} `broadcast_not_found` */
export async function requireBroadcast(
  { database }: GatewayContext,
  id: string,
  caller: Caller,
): Promise<BroadcastRow> {
  const row = await findBroadcast(database.db, id)
  if (!row || !isVisible(visibleFaxes(caller), row)) throw new Problem('broadcast_not_found')
  return row
}

/** The broadcast as it stands. @throws {Problem} `broadcast_not_found` */
export async function readBroadcast(context: GatewayContext, id: string, caller: Caller): Promise<BroadcastDetail> {
  const { db } = context.database
  const row = await requireBroadcast(context, id, caller)
  const counts = (await readCounts(db, [id])).get(id)
  if (!counts) throw new Problem('broadcast_not_found')
  const tested = await readTested(db, [id])
  return { ...present(context, row, counts, tested), ...(await countFailed(db, id)), skipped_rows: skippedOf(row) }
}

/** A page of the broadcasts that the caller may see, newest first. */
export async function listBroadcasts(
  context: GatewayContext,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  caller: Caller,
): Promise<{ broadcasts: Broadcast[]; next_cursor: string | null }> {
  const { db } = context.database
  const visible = visibleFaxes(caller)
  const found = await readBroadcasts(db, visible, limit + 1, cursor === undefined ? undefined : readCursor(cursor))
  const rows = found.slice(0, limit)
  const ids = rows.map(({ id }) => id)
  const [counts, tested] = [await readCounts(db, ids), await readTested(db, ids)]
  const last = rows.at(-1)
  return {
    broadcasts: rows.flatMap((row) => {
      const of = counts.get(row.id)
      return of ? present(context, row, of, tested) : []
    }),
    next_cursor: found.length > limit && last ? writeCursor({ value: last.created_at, id: last.id }) : null,
  }
}
