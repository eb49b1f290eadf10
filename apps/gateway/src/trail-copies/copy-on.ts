import type { Database } from '../db/database.ts'
import type { TrailCopyRow } from '../db/tables/trail-copies.ts'
import { compareMarks, type Head, marksOf, thinned } from './marks.ts'
import { anchorMessage, cutMessage, entryMessage, type TrailSink } from './message.ts'
import { noteCopy, takeTurn } from './store.ts'

/** Entries of a batch: what is in memory at once, however far a place is behind. */
const atOnce = 500

export interface Copying {
  database: Database
  sink: TrailSink
  owner: string
  now: () => Date
  anchorMs: number
  signal: AbortSignal
  /** What this process has copied last to each target: whoever changes the database does not change this. */
  delivered: Map<string, Head>
}

const readHead = ({ db }: Database): Promise<Head> =>
  db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()

/** What was copied, by the database and by this process's memory, oldest first. */
function copiedTo({ sink, delivered }: Copying, row: TrailCopyRow): Head[] {
  const own = delivered.get(sink.target)
  return [...marksOf(row), ...(own ? [own] : [])].toSorted((a, b) => a.seq - b.seq)
}

/**
 * The database lacks what was copied: entries were cut off or rewritten. The place hears of it, and gets everything
 * behind the last mark that fits once more, so that it has whatever was written in place of what it had.
 */
async function reportCut(copying: Copying, row: TrailCopyRow, marks: readonly Head[], fits: Head): Promise<void> {
  const { database, sink, owner, now, signal, delivered } = copying
  const at = now().toISOString()
  await sink.send([cutMessage(marks.at(-1) ?? row, await readHead(database), fits.seq, at)], signal)
  await noteCopy(database, sink.name, owner, {
    ...fits,
    marks: JSON.stringify(marks.filter(({ seq }) => seq < fits.seq)),
    // The first of several cuts is the one that says from where on nothing is certain.
    cut_at: Math.min(row.cut_at ?? Infinity, fits.seq + 1),
    sent_at: at,
    error: null,
    failing_since: null,
  })
  delivered.delete(sink.target)
}

async function sendNext({ database, sink, owner, now, anchorMs, signal, delivered }: Copying, row: TrailCopyRow) {
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
  const { seq, hash }: Head = last ?? row
  // Behind the last entry: an anchor never names one that the place does not have yet.
  const isAnchored = isAnchorDue && entries.length < atOnce && seq > 0
  const messages = [...entries.map(entryMessage), ...(isAnchored ? [anchorMessage({ seq, hash }, at)] : [])]
  if (messages.length === 0) return false
  await sink.send(messages, signal)
  const marks = thinned([...marksOf(row), ...entries.map((entry) => ({ seq: entry.seq, hash: entry.hash }))])
  await noteCopy(database, sink.name, owner, {
    ...{ seq, hash, marks: JSON.stringify(marks), sent_at: at, error: null, failing_since: null },
    ...(isAnchored ? { anchored_at: at } : {}),
  })
  delivered.set(sink.target, { seq, hash })
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
    const marks = copiedTo(copying, row)
    const { fits, misfit } = await compareMarks(database, marks)
    if (!misfit) return await sendNext(copying, row)
    await reportCut(copying, row, marks, fits)
    return true
  } catch (error) {
    const sentence = error instanceof Error ? error.message : 'The entries could not be sent.'
    const since = row.failing_since ?? now().toISOString()
    if (!signal.aborted) await noteCopy(database, sink.name, owner, { error: sentence, failing_since: since })
    throw error
  }
}
