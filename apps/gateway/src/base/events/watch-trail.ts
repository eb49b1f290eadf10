import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { AuditHeadRow } from '../db/tables/tables.ts'
import { hashOf } from './chain.ts'

interface TrailLook {
  /** Entries in all. */
  entries: number
  /** Of those, looked at by this process so far. */
  looked: number
  /** The first entry found that does not fit. */
  brokenAt: number | null
}

/** Checks the audit trail repeatedly, a bounded number of entries at a time. */
export interface TrailWatch {
  /** The newest entries, and some more of the rest. */
  look: (signal?: AbortSignal) => Promise<TrailLook>
  /** As many of the rest as may take a while: for times when nobody waits. */
  walk: () => Promise<void>
}

interface Pieces {
  /** Entries of a piece; the newest ones are looked at each time. */
  atOnce: number
  /** Further pieces of a look. */
  atLook: number
}

const usual: Pieces = { atOnce: 2000, atLook: 10 }
const atWalk = 250

type Head = Pick<AuditHeadRow, 'seq' | 'hash'>

/** The first entry between two places that does not follow the one before it, or is not what its hash says. */
async function firstBroken({ db }: Database, from: number, until: number, end: string | null): Promise<number | null> {
  const rows = await db
    .selectFrom('audit_events')
    .selectAll()
    .where('seq', '>=', from - 1)
    .where('seq', '<=', until)
    .orderBy('seq')
    .execute()
  let previous = from === 1 ? '' : undefined
  let expected = from === 1 ? 1 : from - 1
  for (const row of rows) {
    const follows = previous === undefined || row.prev_hash === previous
    if (row.seq !== expected || !follows || row.hash !== hashOf(row)) return Math.min(row.seq, expected)
    previous = row.hash
    expected += 1
  }
  if (expected <= until) return expected
  return end !== null && previous !== end ? until : null
}

/** Watches the trail of a database. What it remembers is of this process. */
export function watchTrail(database: Database, { atOnce, atLook } = usual): TrailWatch {
  let next = 1
  let isWhole = false
  let broken: number | null = null
  const headOf = () => database.db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()
  const check = async (from: number, until: number, head: Head): Promise<void> => {
    const found = await firstBroken(database, from, until, until === head.seq ? head.hash : null)
    if (found !== null && (broken === null || found < broken)) broken = found
  }
  /** What was broken may have been mended: the right row was put back, or the database restored. */
  const checkBroken = async (head: Head): Promise<void> => {
    if (broken === null) return
    const at = Math.min(broken, head.seq)
    broken = null
    if (at > 0) await check(at, at, head)
  }
  const goOn = async (pieces: number, signal?: AbortSignal): Promise<void> => {
    for (let piece = 0; piece < pieces && !signal?.aborted; piece++) {
      await breathe()
      const head = await headOf()
      const until = Math.min(next + atOnce - 1, head.seq)
      if (next <= until) await check(next, until, head)
      next = until + 1
      if (next <= head.seq) continue
      // From the beginning the next time.
      isWhole = true
      next = 1
      return
    }
  }
  return {
    look: async (signal) => {
      const head = await headOf()
      await checkBroken(head)
      const tail = Math.max(1, head.seq - atOnce + 1)
      if (head.seq > 0) await check(tail, head.seq, head)
      await goOn(atLook, signal)
      const looked = isWhole ? head.seq : Math.min(head.seq, next - 1 + head.seq - tail + 1)
      return { entries: head.seq, looked, brokenAt: broken }
    },
    walk: () => goOn(atWalk),
  }
}
