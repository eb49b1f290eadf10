import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../base/db/database.ts'
import type { InboundFaxRow } from '../base/db/tables/inbound.ts'
import type { FaxJobRow } from '../base/db/tables/tables.ts'
import type { Actor } from '../base/http/callers/keys.ts'
import { Problem } from '../base/http/answers/problem.ts'

/** Who asks, as far as that decides which faxes they see. */
export type Viewer = Pick<Actor, 'kind' | 'keyId' | 'faxAccess' | 'groups' | 'opened' | 'receivedOnly'>

/**
 * The faxes that somebody sees: all, or those sent with one key or by one person together with those of some groups.
 * Of received faxes also those to some numbers. Every list, search, event, webhook and change of a fax asks one of these, and nothing else decides it.
 */
export type VisibleFaxes =
  'all' | { readonly callerKeyId?: string; readonly groups: readonly string[]; readonly numbers?: readonly string[] }

/** The faxes an actor sees by themselves: in lists, events and webhooks, and may stop or send again. */
export const visibleFaxes = ({
  keyId,
  faxAccess,
  groups = [],
}: Pick<Viewer, 'keyId' | 'faxAccess' | 'groups'>): VisibleFaxes =>
  faxAccess === 'all' ? 'all' : { callerKeyId: keyId, groups }

/**
 * The received faxes an actor sees. A key with a scope for them sees all, unless it is limited to some, or sees only what
 * it sent.
 */
export const visibleReceived = ({ kind, faxAccess, groups = [], receivedOnly }: Viewer): VisibleFaxes =>
  receivedOnly ?? (faxAccess === 'all' || (kind === 'key' && faxAccess !== 'own') ? 'all' : { groups })

/** A fax as far as it belongs to somebody; a received one was sent by nobody here, and has the number that was called. */
export type Owned = Partial<Pick<FaxJobRow, 'caller_key_id'> & Pick<InboundFaxRow, 'to_number'>> &
  Pick<FaxJobRow, 'group_id'>

export function isVisible(visible: VisibleFaxes, fax: Owned): boolean {
  if (visible === 'all') return true
  const isOwn = visible.callerKeyId !== undefined && fax.caller_key_id === visible.callerKeyId
  const isCalled = typeof fax.to_number === 'string' && visible.numbers?.includes(fax.to_number) === true
  return isOwn || isCalled || (fax.group_id !== null && visible.groups.includes(fax.group_id))
}

/** Whether a row of a table is among those, in SQL; undefined for all. @param table as the query calls it */
export function visibleIn(visible: VisibleFaxes, table: string): RawBuilder<boolean> | undefined {
  if (visible === 'all') return undefined
  const { callerKeyId, groups, numbers = [] } = visible
  const own = callerKeyId === undefined ? [] : [sql`${sql.ref(`${table}.caller_key_id`)} = ${callerKeyId}`]
  const grouped = groups.length === 0 ? [] : [sql`${sql.ref(`${table}.group_id`)} in (${sql.join(groups)})`]
  const called = numbers.length === 0 ? [] : [sql`${sql.ref(`${table}.to_number`)} in (${sql.join(numbers)})`]
  const ways = [...own, ...grouped, ...called]
  return ways.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(ways, sql` or `)})`
}

/**
 * The same faxes in parts that an index answers each: those that the viewer sent, those of each group, and those to each
 * number. A fax may be
 * in two of them.
 */
export function partsOf(visible: VisibleFaxes): VisibleFaxes[] {
  if (visible === 'all') return [visible]
  const { callerKeyId, groups, numbers = [] } = visible
  const own = callerKeyId === undefined ? [] : [{ callerKeyId, groups: [] }]
  const called = numbers.map((number) => ({ groups: [], numbers: [number] }))
  return [...own, ...groups.map((id) => ({ groups: [id] })), ...called]
}

/**
 * A fax among those. What is not there and what is somebody else's are answered alike, and take alike long: the row of
 * another's fax never leaves the database.
 * @throws {Problem} `fax_not_found`
 */
export async function requireVisible({ db }: { db: Reader }, id: string, visible: VisibleFaxes): Promise<FaxJobRow> {
  const isSeen = visibleIn(visible, 'fax_jobs')
  const jobs = db.selectFrom('fax_jobs').selectAll().where('id', '=', id)
  const job = await (isSeen ? jobs.where(isSeen) : jobs).executeTakeFirst()
  if (!job) throw new Problem('fax_not_found')
  return job
}

/**
 * A sent fax that an actor may read, knowing its id: one they see, any for a key that reads by id, and one that a person
 * opened with a reason. It is never listed for that, and never changed.
 * @throws {Problem} `fax_not_found`
 */
export async function requireReadable({ db }: { db: Reader }, id: string, viewer: Viewer): Promise<FaxJobRow> {
  const isNamed = viewer.faxAccess === 'by_id' || (viewer.opened ?? []).includes(id)
  return requireVisible({ db }, id, isNamed ? 'all' : visibleFaxes(viewer))
}

/** Whether an actor may read a received fax whose id they know: as `requireReadable`. */
export const isReadableReceived = (
  viewer: Viewer,
  fax: Pick<InboundFaxRow, 'id' | 'group_id' | 'to_number'>,
): boolean => (viewer.opened ?? []).includes(fax.id) || isVisible(visibleReceived(viewer), fax)
