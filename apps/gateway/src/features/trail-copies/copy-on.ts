import type { Database } from '../../base/db/database.ts'
import type { TrailCopyRow } from '../../base/db/tables/trail-copies.ts'
import type { ChainHead } from '../../base/events/chain.ts'
import { compareMarks, marksOf, type Standing, thinned } from './marks.ts'
import { anchorMessage, cutMessage, entryMessage, type TrailSink } from './message.ts'
import { noteCopy, takeTurn } from './store.ts'

/** Entries of a batch: what is in memory at once, however far a place is behind. */
const atOnce = 500

/** What this process remembers, which somebody who changes the database can't change. */
interface CopyMemory {
  /** What was copied last to each target. */
  delivered: Map<string, ChainHead>
  /** Entries that were reported to each target as missing or different. */
  reported: Set<string>
}

export const createMemory = (): CopyMemory => ({ delivered: new Map(), reported: new Set() })

export interface Copying {
  database: Database
  sink: TrailSink
  owner: string
  now: () => Date
  anchorMs: number
  signal: AbortSignal
  memory: CopyMemory
  /** Entries that the chain must have, for this process has recorded them. */
  recorded: () => readonly ChainHead[]
}

const readHead = ({ db }: Database): Promise<ChainHead> =>
  db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()

/** What the database must have, by its own account and by this process's memory, oldest first. */
function expectedBy({ sink, memory, recorded }: Copying, row: TrailCopyRow): ChainHead[] {
  const own = [memory.delivered.get(sink.target) ?? [], recorded()].flat()
  const known = own.filter(({ hash }) => !memory.reported.has(`${sink.target} ${hash}`))
  return [...marksOf(row), ...known].toSorted((a, b) => a.seq - b.seq)
}

/**
 * The database lacks what was copied or recorded: entries were cut off or rewritten. The place gets a message, and
 * everything behind the last mark that fits once more, so that it has whatever was written in place of what it had.
 */
async function reportCut(
  { database, sink, owner, now, signal, memory }: Copying,
  row: TrailCopyRow,
  { fits, misfit, misfits }: Standing & { misfit: ChainHead },
): Promise<void> {
  const at = now().toISOString()
  await sink.send([cutMessage({ misfit, newest: await readHead(database), fits: fits.seq }, at)], signal)
  await noteCopy(database, sink.name, owner, {
    ...fits,
    marks: JSON.stringify(marksOf(row).filter(({ seq }) => seq < fits.seq)),
    // The first of several cuts is the one that says from where on nothing is certain.
    cut_at: Math.min(row.cut_at ?? Infinity, fits.seq + 1),
    sent_at: at,
    error: null,
    failing_since: null,
  })
  memory.delivered.delete(sink.target)
  for (const { hash } of misfits) memory.reported.add(`${sink.target} ${hash}`)
}

async function sendNext({ database, sink, owner, now, anchorMs, signal, memory }: Copying, row: TrailCopyRow) {
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
  const { seq, hash }: ChainHead = last ?? row
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
  memory.delivered.set(sink.target, { seq, hash })
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
    const standing = await compareMarks(database, expectedBy(copying, row), row.seq)
    const [misfit] = standing.misfits
    if (!misfit) return await sendNext(copying, row)
    await reportCut(copying, row, { ...standing, misfit })
    return true
  } catch (error) {
    const sentence = error instanceof Error ? error.message : 'The entries could not be sent.'
    const since = row.failing_since ?? now().toISOString()
    if (!signal.aborted) await noteCopy(database, sink.name, owner, { error: sentence, failing_since: since })
    throw error
  }
}
