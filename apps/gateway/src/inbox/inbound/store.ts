import { type Updateable, sql } from 'kysely'
import { activitySlot } from '../../base/db/activity-slot.ts'
import type { Tx, Reader } from '../../base/db/database.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import type { Tables } from '../../base/db/tables/tables.ts'
import { partsOf, visibleIn, type VisibleFaxes } from '../../access/visible.ts'
import { gather, type Gatherer } from '../../base/db/transact.ts'
import type { Place } from '../../base/http/answers/cursor.ts'
import { receivedIsHeld } from '../../paper/retention/held.ts'
import { isOverdue, type Overdue } from '../../paper/retention/rules.ts'

/** Queued work that gets and keeps the document of a received fax. */
export const inboundWork = 'inbound'

export async function findInbound(db: Reader, id: string): Promise<InboundFaxRow | undefined> {
  return db.selectFrom('inbound_faxes').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Stores a new fax; false when it is already there. */
export async function insertInbound(tx: Tx, row: InboundFaxRow): Promise<boolean> {
  const result = await tx
    .insertInto('inbound_faxes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider', 'provider_id']).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

export async function updateInbound(
  db: Reader,
  id: string,
  change: Updateable<Tables['inbound_faxes']>,
): Promise<void> {
  await db.updateTable('inbound_faxes').set(change).where('id', '=', id).execute()
}

const hours: Gatherer<string> = {
  turn: 'hours',
  write: async (tx, received) => {
    for (const [hour, of = []] of Object.entries(Object.groupBy(received, (each) => each))) {
      await tx
        .insertInto('activity_hours')
        .values({ hour, delivered: 0, failed: 0, received: of.length, test_delivered: 0, test_failed: 0 })
        .onConflict((conflict) =>
          conflict.column('hour').doUpdateSet((eb) => ({ received: eb('activity_hours.received', '+', of.length) })),
        )
        .execute()
    }
  },
}

/** Counts a received fax in the time that the dashboard shows it in. */
export function countReceived(tx: Tx, at: string): void {
  gather(tx, hours, [activitySlot(at)])
}

/** Marks faxes as read at an instant, or as unread with null. Answers how many there were. */
export async function markRead(
  db: Reader,
  { ids, visible }: { ids: readonly string[]; visible: VisibleFaxes },
  readAt: string | null,
): Promise<number> {
  let marked = db.updateTable('inbound_faxes').set({ read_at: readAt }).where('id', 'in', ids)
  const seen = visibleIn(visible, 'inbound_faxes')
  if (seen) marked = marked.where(seen)
  return Number((await marked.executeTakeFirst()).numUpdatedRows)
}

/** So many at once: nobody else waits long for the database meanwhile. */
const markedAtOnce = 1000

/** Marks what was received up to an instant as read, but for what a person must judge. Answers how many there were. */
export async function markAllRead(
  db: Reader,
  { until, visible }: { until: string; visible: VisibleFaxes },
  readAt: string,
): Promise<number> {
  for (let changed = 0; ;) {
    const some = await narrowed(db, { visible })
      .select('id')
      .where('read_at', 'is', null)
      .where('status', '=', 'received')
      .where('concern', 'is', null)
      .where('received_at', '<=', until)
      .limit(markedAtOnce)
      .execute()
    if (some.length > 0) {
      const ids = some.map(({ id }) => id)
      changed += await markRead(db, { ids, visible }, readAt)
    }
    if (some.length < markedAtOnce) return changed
  }
}

/** Faxes in the order of their ids as given; those that are not there are left out. */
export async function findInbounds(db: Reader, ids: readonly string[]): Promise<InboundFaxRow[]> {
  const rows = await db.selectFrom('inbound_faxes').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** What a list or a count is narrowed to. */
export interface InboundFilter {
  /** Of which faxes the caller may know; of all when that is not said. */
  visible?: VisibleFaxes
  /** Only those of a group. */
  group?: string
  status?: InboundFaxRow['status'] | InboundFaxRow['status'][]
  toNumber?: string
  fromNumber?: string
  /** Received at this instant or later, and before that one. */
  since?: string
  before?: string
  unread?: boolean
  /** Only these. */
  ids?: readonly string[]
}

export interface InboundPage extends InboundFilter {
  after?: Place
  limit: number
  /** In the order in which they were complete; waiting ones are left out. */
  isOldestFirst?: boolean
}

const isUnread = sql<boolean>`read_at is null and (status = 'received' or concern is not null or (status = 'failed' and pdf_key is not null))`

function narrowed(db: Reader, filter: InboundFilter) {
  const { visible = 'all', group, status, toNumber, fromNumber, since, before, unread, ids } = filter
  let query = db.selectFrom('inbound_faxes')
  const seen = visibleIn(visible, 'inbound_faxes')
  if (seen) query = query.where(seen)
  if (group) query = query.where('group_id', '=', group)
  if (status) query = query.where('status', 'in', [status].flat())
  if (toNumber) query = query.where('to_number', '=', toNumber)
  if (fromNumber) query = query.where('from_number', '=', fromNumber)
  if (since) query = query.where('received_at', '>=', since)
  if (before) query = query.where('received_at', '<', before)
  // PostgreSQL takes no empty list.
  if (ids) query = ids.length > 0 ? query.where('id', 'in', ids) : query.where(sql<boolean>`1 = 0`)
  return unread ? query.where(isUnread) : query
}

function listInPlace(db: Reader, page: InboundPage): Promise<InboundFaxRow[]> {
  const complete = narrowed(db, page).selectAll().where('place', 'is not', null).where('status', '<>', 'waiting')
  const after = page.after ? Number(page.after.value) : 0
  return complete.where('place', '>', after).orderBy('place').limit(page.limit).execute()
}

/** Newest first, from a place on. What each group and number has is read along its index, and merged. */
export async function listInboundRows(db: Reader, page: InboundPage): Promise<InboundFaxRow[]> {
  if (page.isOldestFirst) return listInPlace(db, page)
  const parts = partsOf(page.visible ?? 'all')
  const rows: InboundFaxRow[] = []
  for (const visible of parts) rows.push(...(await listPart(db, { ...page, visible })))
  if (parts.length === 1) return rows
  const found = [...new Map(rows.map((row) => [row.id, row])).values()]
  const place = ({ received_at: at, id }: InboundFaxRow) => `${at} ${id}`
  return found.toSorted((a, b) => (place(a) < place(b) ? 1 : -1)).slice(0, page.limit)
}

async function listPart(db: Reader, page: InboundPage): Promise<InboundFaxRow[]> {
  let query = narrowed(db, page).selectAll()
  const { after } = page
  if (after) {
    query = query.where((eb) => eb(eb.refTuple('received_at', 'id'), '<', eb.tuple(after.value, after.id)))
  }
  return query.orderBy('received_at', 'desc').orderBy('id', 'desc').limit(page.limit).execute()
}

/** Counting goes no further, so that the answer stays cheap. */
export const maxCounted = 10_000

type Narrowed = ReturnType<typeof narrowed>

async function countUpTo(db: Reader, max: number, query: Narrowed): Promise<number> {
  const { n } = await db
    .selectFrom(query.select(sql.lit(1).as('one')).limit(max).as('some'))
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** How many fit a filter; one more than `maxCounted` when there are more. */
export function countInboundRows(db: Reader, filter: InboundFilter): Promise<number> {
  return countUpTo(db, maxCounted + 1, narrowed(db, filter))
}

/** Faxes received since an instant, and unread ones; each counted up to 10,000. */
export async function inboundTotals(db: Reader, since: string): Promise<{ today: number; unread: number }> {
  const today = await countUpTo(db, maxCounted, narrowed(db, { status: 'received' }).where('received_at', '>=', since))
  const unread = await countUpTo(db, maxCounted, narrowed(db, { unread: true }))
  return { today, unread }
}

/** Faxes that failed since an instant, newest first. A document may be fetched in vain for a day before that. */
export async function listFailed(db: Reader, since: string, limit: number): Promise<InboundFaxRow[]> {
  const failed = db.selectFrom('inbound_faxes').selectAll().where('status', '=', 'failed').where('concern', 'is', null)
  const lately = failed.where('received_at', '>=', daysBefore(since, 2)).where('updated_at', '>=', since)
  return lately.orderBy('received_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** Faxes that a person should look at and has not, newest first. */
export async function listConcerns(db: Reader, limit: number): Promise<InboundFaxRow[]> {
  const unread = db
    .selectFrom('inbound_faxes')
    .selectAll()
    .where('concern', 'is not', null)
    .where('read_at', 'is', null)
  return unread.orderBy('received_at', 'desc').limit(limit).execute()
}

const daysBefore = (at: string, days: number) => new Date(Date.parse(at) - days * 24 * 3_600_000).toISOString()

/** The oldest faxes whose documents are kept though they were received before an instant. */
export async function listExpired(db: Reader, rule: Overdue, limit: number): Promise<InboundFaxRow[]> {
  const old = db
    .selectFrom('inbound_faxes')
    .selectAll()
    .where(isOverdue('received_at', rule))
    .where(sql<boolean>`not ${receivedIsHeld}`)
    .orderBy('received_at')
    .limit(limit)
  const readable = await old.where('pdf_key', 'is not', null).execute()
  // What came and could not be read is kept without a PDF.
  const unreadable = old
    .where('status', '=', 'failed')
    .where('pdf_key', 'is', null)
    .where('original_key', 'is not', null)
  return [...readable, ...(await unreadable.execute())].slice(0, limit)
}
