import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { inPages } from '../db/in-pages.ts'
import type { AuditEventRow } from '../db/tables/tables.ts'
import { entryOf } from './chain.ts'
import type { AuditEntry } from './facts.ts'

const gapMs = 50
const atOnce = 500

/** An entry of the audit trail, as those who follow it need it. */
export interface TrailEntry extends Pick<AuditEventRow, 'seq' | 'ts' | 'event' | 'job_id' | 'fields' | 'hash'> {
  /** Of the job that it is about. */
  broadcast_id: string | null
}
type Listener = (entries: readonly TrailEntry[]) => void
type Log = { error: (facts: object, message: string) => void }

/** A stream of recorded events. */
export interface Trail {
  /** Calls `listener` with what is committed from then on, in order, by any process that shares the database. */
  follow: (listener: Listener) => Promise<() => void>
}

async function readHead({ db }: Database): Promise<number> {
  return (await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()).seq
}

/** Entries after a place, in order. Places are committed in their order, so that none is passed over. */
export const readEntries = ({ db }: Database, after: number, limit: number) =>
  db
    .selectFrom('audit_events')
    .leftJoin('fax_jobs as job', 'job.id', 'audit_events.job_id')
    .select(['seq', 'ts', 'event', 'job_id', 'fields', 'hash', 'job.broadcast_id'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)

/** The first place at or after an instant. Places and times grow together, so that it is found by halving. */
async function placeAt({ db }: Database, since: string): Promise<number> {
  let [low, high] = [1, (await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()).seq + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const entry = db.selectFrom('audit_events').select('ts').where('seq', '>=', middle).orderBy('seq').limit(1)
    const found = await entry.executeTakeFirst()
    if (found && found.ts < since) low = middle + 1
    else high = middle
  }
  return low
}

/** Pages of the entries of some events since an instant, in order. */
export async function* entriesSince(
  database: Database,
  since: string,
  events: readonly string[],
  limit: number,
): AsyncGenerator<AuditEntry[]> {
  const first = await placeAt(database, since)
  const read = (last: { seq: number } | undefined) =>
    readEntries(database, last?.seq ?? first - 1, limit)
      .where('event', 'in', events)
      .execute()
  for await (const entries of inPages<TrailEntry>(limit, read)) yield entries.map(entryOf)
}

/** Reads the trail on whenever the database says that there is more. */
async function start(database: Database, notify: Listener, log: Log): Promise<() => void> {
  let place: number | undefined
  let stopped = false
  let reading = false
  let woken = false
  const isOver = () => stopped
  const readOn = async () => {
    while (woken && !stopped && place !== undefined) {
      woken = false
      for (let more = true; more && !isOver();) {
        const entries: TrailEntry[] = await readEntries(database, place, atOnce).execute()
        place = entries.at(-1)?.seq ?? place
        if (entries.length > 0) notify(entries)
        more = entries.length === atOnce
      }
      await delay(gapMs, undefined, { ref: false })
    }
  }
  const wake = () => {
    woken = true
    if (reading || stopped || place === undefined) return
    reading = true
    readOn()
      .catch((error: unknown) => log.error({ err: error }, 'New entries of the audit trail could not be read.'))
      .finally(() => {
        reading = false
      })
  }
  const stop = database.signals.on('audit', wake)
  try {
    place = await readHead(database)
  } catch (error) {
    stop()
    throw error
  }
  // What was recorded meanwhile is read as well.
  wake()
  return () => {
    stopped = true
    stop()
  }
}

/** Follows the audit trail of a database for as long as anybody listens. */
export function createTrail(database: Database, log: Log): Trail {
  const listeners = new Set<Listener>()
  let started: Promise<() => void> | undefined
  const leave = (listener: Listener) => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    void started?.then((stop) => stop())
    started = undefined
  }
  return {
    follow: async (listener) => {
      listeners.add(listener)
      started ??= start(database, (entries) => listeners.forEach((each) => each(entries)), log)
      try {
        await started
      } catch (error) {
        started = undefined
        listeners.delete(listener)
        throw error
      }
      return () => leave(listener)
    },
  }
}
