import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { type ActorNames, entryOf, hashOf, withNames } from './chain.ts'
import type { AuditEntry, AuditFilter } from './facts.ts'
import { searchWords } from './search-words.ts'

/** A search goes through no more than the newest 50,000 events. */
const searchReach = 50_000
const atOnce = 2000

/** No name is that common; a list of ids stays a list that a query can hold. */
const maxActors = 1000

/** Whether an entry holds a word, or is by somebody who is or was called so. */
async function holdsWord({ db }: Database, word: string, names: ActorNames | undefined) {
  const like = `%${word.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const written = sql<boolean>`(lower(fields) like ${like} escape '\\' or lower(event) like ${like} escape '\\')`
  const actors = (await names?.find(db, word))?.slice(0, maxActors) ?? []
  return actors.length === 0 ? written : sql<boolean>`(${written} or key_id in (${sql.join(actors)}))`
}

/** Events that fit, newest first. */
export async function listEvents(database: Database, filter: AuditFilter, names?: ActorNames): Promise<AuditEntry[]> {
  const { db } = database
  let newest = db
    .selectFrom('audit_events')
    .select(['seq', 'ts', 'event', 'key_id', 'fields'])
    .orderBy('seq', 'desc')
    .limit(searchReach)
  if (filter.event) newest = newest.where('event', '=', filter.event)
  if (filter.since) newest = newest.where('ts', '>=', new Date(filter.since).toISOString())
  let query = db.selectFrom(newest.as('newest')).selectAll()
  for (const word of searchWords(filter.q)) query = query.where(await holdsWord(database, word, names))
  const rows = await query.orderBy('seq', 'desc').limit(filter.limit).execute()
  return withNames(names, db, rows.map(entryOf))
}

export interface ChainVerdict {
  intact: boolean
  checked: number
  /** The first place that does not fit. */
  broken_at: number | null
}

/** Recomputes every hash from the first event on, letting other work pass in between. */
export async function verifyChain({ db }: Database, signal?: AbortSignal): Promise<ChainVerdict> {
  // What is appended meanwhile is not looked at.
  const head = await db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()
  let previous = ''
  let checked = 0
  while (checked < head.seq) {
    await breathe()
    signal?.throwIfAborted()
    const rows = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('seq', '>', checked)
      .where('seq', '<=', head.seq)
      .orderBy('seq')
      .limit(atOnce)
      .execute()
    if (rows.length === 0) return { intact: false, checked, broken_at: checked + 1 }
    for (const row of rows) {
      const fits = row.seq === checked + 1 && row.prev_hash === previous && row.hash === hashOf(row)
      if (!fits) return { intact: false, checked, broken_at: checked + 1 }
      previous = row.hash
      checked += 1
    }
  }
  const intact = previous === head.hash
  return { intact, checked: head.seq, broken_at: intact ? null : head.seq }
}
