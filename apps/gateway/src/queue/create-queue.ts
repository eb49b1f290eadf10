import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import { randomHex } from '../db/random-hex.ts'
import { insertRows, padded } from '../db/rows.ts'
import { transact } from '../db/transact.ts'
import { callForward, claimNew, claimOccupied, setBehind } from './claim.ts'
import { type Claim, type Later, LeaseLost, type Queue, type Settlement, type Work } from './queue.ts'

/** Any number of ours: it names the lock under which processes claim and let go. */
const lockOfQueue = 7_035_001

interface QueueParts {
  database: Database
  now: () => Date
  /** How long a claim lasts without being renewed. */
  leaseMs: number
}

const freed = { lease_until: null, occupied: 0, behind: 0 }

/**
 * On PostgreSQL those who change claims take turns: no row is set aside while its number becomes free, and no two
 * wait for each other's rows.
 */
async function takeTurn(database: Database, tx: Tx): Promise<void> {
  if (database.engine === 'postgres') await sql`select pg_advisory_xact_lock(${lockOfQueue})`.execute(tx)
}

function rowOf(work: Work, createdAt: string) {
  return {
    id: randomHex(16),
    kind: work.kind,
    subject_id: work.subjectId,
    exclusive: work.exclusive ?? null,
    lane: work.lane,
    due_at: work.dueAt.toISOString(),
    lease_until: null,
    occupied: 0,
    behind: 0,
    token: 0,
    tries: 0,
    created_at: createdAt,
  }
}

const putOff = ({ dueAt, hold, lane }: Later) => ({
  ...(hold ? { lease_until: null } : freed),
  ...(lane === undefined ? {} : { lane }),
  due_at: dueAt.toISOString(),
})

/** The calls that let go of work. */
function createLettingGo(database: Database): Pick<Queue, 'complete' | 'reschedule' | 'settle'> {
  const letGo = async (tx: Tx, rows: readonly { exclusive: string | null }[], hold = false) => {
    if (rows.length === 0) return
    if (!hold) {
      await callForward(
        tx,
        rows.flatMap(({ exclusive }) => exclusive ?? []),
      )
    }
    await database.signals.tell(tx, 'queue')
  }
  return {
    complete: async (tx, claim) => {
      await takeTurn(database, tx)
      const held = tx.deleteFrom('queue').where('id', '=', claim.id).where('token', '=', claim.token)
      const row = await held.returning('exclusive').executeTakeFirst()
      if (!row) throw new LeaseLost(claim)
      await letGo(tx, [row])
    },
    reschedule: async (tx, claim, later) => {
      await takeTurn(database, tx)
      const held = tx.updateTable('queue').where('id', '=', claim.id).where('token', '=', claim.token)
      const row = await held.set(putOff(later)).returning('exclusive').executeTakeFirst()
      if (!row) throw new LeaseLost(claim)
      await letGo(tx, [row], later.hold)
    },
    settle: async (tx, kind, settlements) => {
      if (settlements.length === 0) return
      await takeTurn(database, tx)
      for (const alike of alikeOf(settlements)) {
        const later = alike[0]?.later ?? null
        const subjects = padded(alike.map(({ subjectId }) => subjectId))
        await letGo(tx, await settleAlike(tx, kind, subjects, later), later?.hold)
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

function settleAlike(tx: Tx, kind: string, subjects: readonly string[], later: Later | null) {
  if (!later) {
    const ended = tx.deleteFrom('queue').where('kind', '=', kind).where('subject_id', 'in', subjects)
    return ended.returning('exclusive').execute()
  }
  const change = { ...putOff(later), token: sql<number>`token + 1` }
  const rows = tx.updateTable('queue').set(change).where('kind', '=', kind).where('subject_id', 'in', subjects)
  return rows.returning('exclusive').execute()
}

/** The calls about leases in hand. */
function createLeases({ database, now, leaseMs }: QueueParts): Pick<Queue, 'claim' | 'renew' | 'release' | 'recover'> {
  const leaseUntil = () => new Date(now().getTime() + leaseMs).toISOString()
  const eachOf = (claims: readonly Claim[]) =>
    sql<boolean>`(id, token) in (values ${sql.join(claims.map(({ id, token }) => sql`(${id}, cast(${token} as integer))`))})`
  return {
    claim: (lane, limit, most, begin = most) =>
      transact(database, async (tx) => {
        const look = { engine: database.engine, lane, now: now().toISOString(), leaseUntil: leaseUntil() }
        await takeTurn(database, tx)
        const again = await claimOccupied(tx, look, most)
        const room = Math.min(begin, most - again.length)
        const begun = room > 0 ? await claimNew(tx, look, limit, room) : []
        const aside = await setBehind(tx, look)
        return { claims: [...again, ...begun], more: aside > 0 || again.length + begun.length === most }
      }),
    renew: async (claims) => {
      if (claims.length === 0) return new Set()
      const rows = await transact(database, async (tx) => {
        await takeTurn(database, tx)
        const held = tx.updateTable('queue').set({ lease_until: leaseUntil() }).where(eachOf(claims))
        return held.returning('id').execute()
      })
      return new Set(rows.map(({ id }) => id))
    },
    release: async (claims) => {
      if (claims.length === 0) return
      await transact(database, async (tx) => {
        await takeTurn(database, tx)
        await tx.updateTable('queue').set({ lease_until: null }).where(eachOf(claims)).execute()
        await database.signals.tell(tx, 'queue')
      })
    },
    recover: async () => {
      await transact(database, (tx) =>
        tx.updateTable('queue').set({ lease_until: null }).where('lease_until', 'is not', null).execute(),
      )
    },
  }
}

async function lockHeld({ engine }: Database, tx: Tx, claims: readonly Claim[]): Promise<Set<Claim>> {
  const ids = padded(claims.map(({ id }) => id))
  const found = tx.selectFrom('queue').select(['id', 'token']).where('id', 'in', ids)
  const rows = await found.$if(engine === 'postgres', (query) => query.forUpdate()).execute()
  const tokens = new Map(rows.map(({ id, token }) => [id, token]))
  return new Set(claims.filter(({ id, token }) => tokens.get(id) === token))
}

/** Lanes by a loose walk along the index: their number decides the cost, not the number of rows. */
const lanesOf = sql<{ lane: string | null }>`
  with recursive walk(lane) as (
    select min(lane) from queue
    union all
    select (select min(lane) from queue where lane > walk.lane) from walk where walk.lane is not null)
  select lane from walk where lane is not null`

/** The queue in the table of that name. */
export function createQueue(parts: QueueParts): Queue {
  const { database, now } = parts
  const { db } = database
  return {
    ...createLettingGo(database),
    ...createLeases(parts),
    held: async (tx, claims) => {
      if (claims.length === 0) return new Set()
      await takeTurn(database, tx)
      return lockHeld(database, tx, claims)
    },
    enqueue: async (tx, works) => {
      const createdAt = now().toISOString()
      await insertRows(
        tx,
        'queue',
        works.map((work) => rowOf(work, createdAt)),
      )
      await database.signals.tell(tx, 'queue')
    },
    lanes: async () => (await lanesOf.execute(db)).rows.flatMap(({ lane }) => lane ?? []),
    nextDue: async () => {
      const next = db.selectFrom('queue').where('due_at', '>', now().toISOString()).orderBy('due_at').limit(1)
      return (await next.select('due_at').executeTakeFirst())?.due_at ?? null
    },
    depth: async () => {
      const counts = db
        .selectFrom('queue')
        .groupBy('occupied')
        .select(['occupied', sql<number>`count(*)`.as('n')])
      const rows = await counts.select(sql<string>`min(due_at)`.as('oldest')).execute()
      const of = (occupied: number) => rows.find((row) => row.occupied === occupied)
      return { waiting: of(0)?.n ?? 0, under_way: of(1)?.n ?? 0, oldest_due_at: of(0)?.oldest ?? null }
    },
  }
}
