import type { Database } from '../db/database.ts'
import type { AuditHeadRow } from '../db/tables/tables.ts'
import type { TrailCopyRow } from '../db/tables/trail-copies.ts'
import { anchorMessage, cutMessage, entryMessage, type TrailSink } from './message.ts'
import { noteCopy, takeTurn } from './store.ts'

/** Entries of a batch: what is in memory at once, however far a place is behind. */
const atOnce = 500

type Head = Pick<AuditHeadRow, 'seq' | 'hash'>

export interface Copying {
  database: Database
  sink: TrailSink
  owner: string
  now: () => Date
  anchorMs: number
  signal: AbortSignal
}

async function entryAt({ db }: Database, seq: number): Promise<Head | undefined> {
  return db.selectFrom('audit_events').select(['seq', 'hash']).where('seq', '=', seq).executeTakeFirst()
}

async function readHead({ db }: Database): Promise<Head> {
  return db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()
}

/** Whether the last entry that was copied is still in the database as it was. */
async function stillFits(database: Database, copied: Head): Promise<boolean> {
  if (copied.seq === 0) return true
  return (await entryAt(database, copied.seq))?.hash === copied.hash
}

/**
 * The database lacks what was copied: entries were cut off or rewritten. The place hears of it, and goes on with what
 * is there now, which has numbers that it had before.
 */
async function reportCut({ database, sink, owner, now, signal }: Copying, copied: Head): Promise<void> {
  const newest = await readHead(database)
  const at = now().toISOString()
  await sink.send([cutMessage(copied, newest, at)], signal)
  const seq = Math.min(newest.seq, Math.max(0, copied.seq - 1))
  const from = seq === 0 ? undefined : await entryAt(database, seq)
  const place = { seq: from?.seq ?? 0, hash: from?.hash ?? '' }
  await noteCopy(database, sink.name, owner, {
    ...place,
    cut_at: place.seq + 1,
    sent_at: at,
    error: null,
    failing_since: null,
  })
}

async function sendNext({ database, sink, owner, now, anchorMs, signal }: Copying, row: TrailCopyRow) {
  const entries = await database.db
    .selectFrom('audit_events')
    .select(['seq', 'ts', 'event', 'fields', 'prev_hash', 'hash'])
    .where('seq', '>', row.seq)
    .orderBy('seq')
    .limit(atOnce)
    .execute()
  const at = now().toISOString()
  const last = entries.at(-1)
  const isAnchorDue = row.anchored_at === null || now().getTime() - Date.parse(row.anchored_at) >= anchorMs
  const place: Head = last ?? row
  // Behind the last entry: an anchor never names one that the place does not have yet.
  const isAnchored = isAnchorDue && entries.length < atOnce && place.seq > 0
  const messages = [...entries.map(entryMessage), ...(isAnchored ? [anchorMessage(place, at)] : [])]
  if (messages.length === 0) return false
  await sink.send(messages, signal)
  await noteCopy(database, sink.name, owner, {
    ...{ seq: place.seq, hash: place.hash, sent_at: at, error: null, failing_since: null },
    ...(isAnchored ? { anchored_at: at } : {}),
  })
  return entries.length === atOnce
}

/**
 * Copies what is new to one place, in order. Where it has come is noted only once the place has the entries, so that a
 * crash repeats some and loses none.
 * @returns whether there is more
 * @throws when the place or the database cannot be reached; the place's reason is noted
 */
export async function copyOn(copying: Copying): Promise<boolean> {
  const { database, sink, owner, now, signal } = copying
  const row = await takeTurn(database, sink, { owner, now: now() })
  if (!row) return false
  try {
    if (await stillFits(database, row)) return await sendNext(copying, row)
    await reportCut(copying, row)
    return true
  } catch (error) {
    const sentence = error instanceof Error ? error.message : 'The entries could not be sent.'
    const since = row.failing_since ?? now().toISOString()
    if (!signal.aborted) await noteCopy(database, sink.name, owner, { error: sentence, failing_since: since })
    throw error
  }
}
