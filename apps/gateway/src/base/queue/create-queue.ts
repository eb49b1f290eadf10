import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Engine, Tx } from '../db/database.ts'
import { insertAll } from '../db/insert-all.ts'
import { transact } from '../db/transact.ts'
import { beginNew, callForward, claimOccupied, readDueLanes } from './claim.ts'
import {
  backgroundLane,
  type Claim,
  type Later,
  LeaseLost,
  parked,
  type Queue,
  type Settlement,
  type Work,
} from './queue.ts'
import { type QueueTime, queueTime } from './time.ts'

interface QueueParts {
  database: Database
  /** The clock by which callers say when work is due. */
  now: () => Date
  /** How long a claim lasts without being renewed. */
  leaseMs: number
  /** Whether PostgreSQL's own clock decides what is due and whose lease has ended, as it must between processes. */
  byServer?: boolean
}

interface QueueCore extends QueueParts {
  time: QueueTime
}

const freed = { lease_until: null, occupied: 0, behind: 0 }

/** Earlier or later by so much, two clocks count as the same. */
const toleranceMs = 5000
const plus = (at: Date, ms: number): string => new Date(at.getTime() + ms).toISOString()

/** An instant that a caller named by its own clock, by the queue's time; what is parked is so by every clock. */
function dueOf(dueAt: Date | undefined, at: Date, now: () => Date): string {
  if (dueAt && dueAt >= parked) return parked.toISOString()
  return dueAt ? plus(at, dueAt.getTime() - now().getTime()) : at.toISOString()
}

function rowOf(work: Work, at: Date, now: () => Date) {
  return {
    id: randomBytes(16).toString('hex'),
    kind: work.kind,
    subject_id: work.subjectId,
    exclusive: work.exclusive ?? null,
    lane: work.lane,
    due_at: dueOf(work.dueAt, at, now),
    scheduled_at: at.toISOString(),
    lease_until: null,
    occupied: 0,
    behind: 0,
    bulk: work.bulk ? 1 : 0,
    token: 0,
    tries: 0,
    created_at: at.toISOString(),
  }
}

const putOff = ({ dueAt, hold, lane }: Later, at: Date, now: () => Date) => ({
  ...(hold ? { lease_until: null } : freed),
  ...(lane === undefined ? {} : { lane }),
  due_at: dueOf(dueAt, at, now),
  scheduled_at: at.toISOString(),
})

function createLettingGo({ database, now, time }: QueueCore): Pick<Queue, 'complete' | 'reschedule' | 'settle'> {
  const letGo = async (tx: Tx, rows: readonly { exclusive: string | null }[], hold = false) => {
    if (rows.length === 0) return
    if (!hold) {
      await callForward(
        tx,
        rows.flatMap(({ exclusive }) => exclusive ?? []),
      )
    }
    await database.signals.notify(tx, 'queue')
  }
  return {
    complete: async (tx, claim) => {
      await time.takeTurn(tx)
      const held = tx.deleteFrom('queue').where('id', '=', claim.id).where('token', '=', claim.token)
      const row = await held.returning('exclusive').executeTakeFirst()
      if (!row) throw new LeaseLost(claim)
      await letGo(tx, [row])
    },
    reschedule: async (tx, claim, later) => {
      const at = await time.takeTurn(tx)
      const held = tx.updateTable('queue').where('id', '=', claim.id).where('token', '=', claim.token)
      const row = await held
        .set(putOff(later, at, now))
        .returning('exclusive')
        .executeTakeFirst()
      if (!row) throw new LeaseLost(claim)
      await letGo(tx, [row], later.hold)
    },
    settle: async (tx, kind, settlements) => {
      if (settlements.length === 0) return
      const at = await time.takeTurn(tx)
      for (const alike of alikeOf(settlements)) {
        const later = alike[0]?.later
        const subjects = alike.map(({ subjectId }) => subjectId)
        await letGo(tx, await settleAlike(tx, kind, subjects, later && putOff(later, at, now)), later?.hold)
      }
    },
  }
}

/** Work that ends, or goes on at the same instant in the same way. */
function alikeOf(settlements: readonly Settlement[]): Settlement[][] {
  return Object.values(Object.groupBy(settlements, ({ later }) => JSON.stringify(later))).flatMap((alike) =>
    alike ? [alike] : [],
  )
}

function settleAlike(
  tx: Tx,
  kind: string,
  subjects: readonly string[],
  later: ReturnType<typeof putOff> | null | undefined,
) {
  if (!later) {
    const ended = tx.deleteFrom('queue').where('kind', '=', kind).where('subject_id', 'in', subjects)
    return ended.returning('exclusive').execute()
  }
  const change = { ...later, token: sql<number>`token + 1` }
  const rows = tx.updateTable('queue').set(change).where('kind', '=', kind).where('subject_id', 'in', subjects)
  return rows.returning('exclusive').execute()
}

function createLeases({ database, time, leaseMs }: QueueCore): Pick<Queue, 'claim' | 'renew' | 'release' | 'recover'> {
  const { engine } = database
  /** A file has one process: nobody else takes what it holds. */
  const heldFrom = (asked: number) => (engine === 'sqlite' ? Infinity : asked + leaseMs)
  const eachOf = (claims: readonly Claim[]) =>
    sql<boolean>`(id, token) in (values ${sql.join(claims.map(({ id, token }) => sql`(${id}, cast(${token} as integer))`))})`
  return {
    claim: async (lane, limit, max, { begin = max, inHand = [], spareLeases = false, kinds } = {}) => {
      const asked = performance.now()
      const { rows, more } = await transact(database, async (tx) => {
        const at = await time.takeTurn(tx)
        const ids = inHand.map(({ id }) => id)
        const leaseUntil = plus(at, leaseMs)
        const look = { engine, lane, now: at.toISOString(), leaseUntil, inHand: ids, spareLeases, kinds }
        const again = await claimOccupied(tx, look, max)
        const room = Math.min(begin, max - again.length)
        const { begun, aside } = await beginNew(tx, look, limit, room)
        return { rows: [...again, ...begun], more: aside > 0 || again.length + begun.length === max }
      })
      return { claims: rows.map((row) => ({ ...row, heldUntil: heldFrom(asked) })), more }
    },
    renew: async (claims) => {
      if (claims.length === 0) return new Set()
      const asked = performance.now()
      const rows = await transact(database, async (tx) => {
        const leaseUntil = plus(await time.takeTurn(tx), leaseMs)
        const held = tx.updateTable('queue').set({ lease_until: leaseUntil }).where(eachOf(claims))
        return held.returning('id').execute()
      })
      const ids = new Set(rows.map(({ id }) => id))
      for (const claim of claims) if (ids.has(claim.id)) claim.heldUntil = heldFrom(asked)
      return ids
    },
    release: async (claims) => {
      if (claims.length === 0) return
      await transact(database, async (tx) => {
        await time.takeTurn(tx)
        await tx.updateTable('queue').set({ lease_until: null }).where(eachOf(claims)).execute()
        await database.signals.notify(tx, 'queue')
      })
    },
    recover: async () => {
      await transact(database, (tx) =>
        tx.updateTable('queue').set({ lease_until: null }).where('lease_until', 'is not', null).execute(),
      )
    },
  }
}

async function lockHeld({ engine }: Database, tx: Tx, claims: readonly Claim[], at: Date): Promise<Set<Claim>> {
  const ids = claims.map(({ id }) => id)
  const found = tx.selectFrom('queue').select(['id', 'token', 'lease_until']).where('id', 'in', ids)
  const rows = await found.$if(engine === 'postgres', (query) => query.forUpdate()).execute()
  // A lease that has ended may pass to another process in the next moment.
  const lasts = (until: string | null) => engine === 'sqlite' || (until !== null && until > at.toISOString())
  const tokens = new Map(rows.flatMap(({ id, token, lease_until }) => (lasts(lease_until) ? [[id, token]] : [])))
  return new Set(claims.filter(({ id, token }) => tokens.get(id) === token))
}

/** By how much what was put off at `scheduled_at` was to wait, from `at` on. */
function waitFrom(engine: Engine, at: Date) {
  const from = at.toISOString()
  if (engine === 'sqlite') {
    return sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', julianday(${from}) + julianday(due_at) - julianday(scheduled_at))`
  }
  const due = sql`${from}::timestamptz + (due_at::timestamptz - scheduled_at::timestamptz)`
  return sql<string>`to_char((${due}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** A clock that was set back has scheduled work, and given leases, in what is the future now. */
async function followClock({ database, time, leaseMs }: QueueCore): Promise<void> {
  await transact(database, async (tx) => {
    const at = await time.takeTurn(tx)
    const ahead = plus(at, toleranceMs)
    const meant = { due_at: waitFrom(database.engine, at), scheduled_at: at.toISOString() }
    await tx.updateTable('queue').set(meant).where('due_at', '>', ahead).where('scheduled_at', '>', ahead).execute()
    // The worker that has it renews its lease in the meantime.
    await tx
      .updateTable('queue')
      .set({ lease_until: plus(at, leaseMs) })
      .where('occupied', '=', 1)
      .where('lease_until', '>', plus(at, leaseMs + toleranceMs))
      .execute()
  })
}

/** The queue in the table of that name. */
export function createQueue(parts: QueueParts): Queue {
  const { database, now, byServer = false } = parts
  const { db } = database
  const time = queueTime(database, now, byServer)
  const core = { ...parts, time }
  return {
    ...createLettingGo(core),
    ...createLeases(core),
    held: async (tx, claims) => {
      if (claims.length === 0) return new Set()
      return lockHeld(database, tx, claims, await time.takeTurn(tx))
    },
    enqueue: async (tx, works) => {
      const at = await time.read(tx)
      await insertAll(
        tx,
        'queue',
        works.map((work) => rowOf(work, at, now)),
      )
      await database.signals.notify(tx, 'queue')
    },
    due: async () => {
      // One instant for both, so that nothing becomes due between them.
      const at = time.estimate()
      const lanes = await readDueLanes(database, at.toISOString())
      const next = db.selectFrom('queue').where('due_at', '>', at.toISOString()).orderBy('due_at').limit(1)
      const row = await next.select('due_at').executeTakeFirst()
      return { lanes, nextMs: row ? Date.parse(row.due_at) - at.getTime() : null }
    },
    followClock: () => followClock(core),
    depth: async () => {
      const counts = db
        .selectFrom('queue')
        .where('due_at', '<', parked.toISOString())
        .where('lane', '<>', backgroundLane)
        .groupBy('occupied')
        .select(['occupied', sql<number>`count(*)`.as('n')])
      const rows = await counts.select(sql<string>`min(due_at)`.as('oldest')).execute()
      const of = (occupied: number) => rows.find((row) => row.occupied === occupied)
      return { waiting: of(0)?.n ?? 0, under_way: of(1)?.n ?? 0, oldest_due_at: of(0)?.oldest ?? null }
    },
  }
}
