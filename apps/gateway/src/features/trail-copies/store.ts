import type { Database, Reader } from '../../base/db/database.ts'
import type { TrailCopyRow } from '../../base/db/tables/trail-copies.ts'

type Sink = TrailCopyRow['sink']

interface Turn {
  owner: string
  now: Date
}

/** A process that was stopped lets go of a copy after this long. Longer than a batch may take. */
const leaseMs = 60_000

export const listCopies = ({ db }: Database): Promise<TrailCopyRow[]> =>
  db.selectFrom('trail_copies').selectAll().orderBy('sink').execute()

const findCopy = (db: Reader, sink: Sink): Promise<TrailCopyRow | undefined> =>
  db.selectFrom('trail_copies').selectAll().where('sink', '=', sink).executeTakeFirst()

const isFresh = ({ lease_until: until }: TrailCopyRow, now: Date) =>
  until !== null && Date.parse(until) - now.getTime() > leaseMs / 2

const fresh = {
  ...{ seq: 0, hash: '', marks: '[]', sent_at: null, anchored_at: null },
  ...{ error: null, failing_since: null, cut_at: null },
}

/**
 * Takes the turn to copy to a place, for a minute.
 * @returns how far it has come; undefined while another process copies there
 */
export async function takeTurn(
  { db }: Database,
  { name: sink, target }: { name: Sink; target: string },
  { owner, now }: Turn,
): Promise<TrailCopyRow | undefined> {
  const at = now.toISOString()
  const known = await findCopy(db, sink)
  // While nothing happens, nothing is written but once in half a minute.
  if (known?.owner === owner && known.target === target && isFresh(known, now)) return known
  const lease_until = new Date(now.getTime() + leaseMs).toISOString()
  const begin = db.insertInto('trail_copies').values({ sink, target, ...fresh, owner: null, lease_until: null })
  await begin.onConflict((conflict) => conflict.column('sink').doNothing()).execute()
  const row = await db
    .updateTable('trail_copies')
    .set({ owner, lease_until })
    .where('sink', '=', sink)
    .where((eb) => eb.or([eb('owner', 'is', null), eb('owner', '=', owner), eb('lease_until', '<', at)]))
    .returningAll()
    .executeTakeFirst()
  if (!row || row.target === target) return row
  return db
    .updateTable('trail_copies')
    .set({ target, ...fresh })
    .where('sink', '=', sink)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Notes how far a copy has come, or why not. Of a turn that was lost nothing is noted. */
export async function noteCopy(
  { db }: Database,
  sink: Sink,
  owner: string,
  change: Partial<TrailCopyRow>,
): Promise<void> {
  await db.updateTable('trail_copies').set(change).where('sink', '=', sink).where('owner', '=', owner).execute()
}

/** Lets another process go on at once. */
export async function giveTurns({ db }: Database, owner: string): Promise<void> {
  const turn = { owner: null, lease_until: null }
  await db.updateTable('trail_copies').set(turn).where('owner', '=', owner).execute()
}
