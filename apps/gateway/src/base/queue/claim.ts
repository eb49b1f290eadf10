import { type RawBuilder, sql } from 'kysely'
import type { Database, Engine, Tx } from '../db/database.ts'
import { backgroundLane, type Claim } from './queue.ts'

type Claimed = Omit<Claim, 'heldUntil'>
type ClaimedRow = Omit<Claimed, 'putOffMs'> & { dueAt: string; scheduledAt: string }

const claimed = ({ dueAt, scheduledAt, ...row }: ClaimedRow): Claimed => ({
  ...row,
  putOffMs: Date.parse(dueAt) - Date.parse(scheduledAt),
})

/** How many rows that are due one look takes in. */
const window = 64

export interface Look {
  engine: Engine
  lane: string
  now: string
  leaseUntil: string
  /** Rows that this process is at work on. */
  inHand: readonly string[]
  /** What this process can do; everything when left out. */
  kinds: readonly string[] | undefined
  spareLeases: boolean
}

const taken = sql`id, kind, subject_id as "subjectId", lane, token, tries, due_at as "dueAt", scheduled_at as "scheduledAt"`
/** Another process may hold rows that it is claiming just now: pass over them. */
const passOver = (engine: Engine): RawBuilder<unknown> => (engine === 'postgres' ? sql`for update skip locked` : sql``)

function notInHand({ engine, inHand }: Look): RawBuilder<unknown> {
  if (inHand.length === 0) return sql``
  if (engine === 'postgres') return sql`and id <> all(${inHand}::text[])`
  return sql`and id not in (select value from json_each(${JSON.stringify(inHand)}))`
}

/** What only a newer gateway can do is left to it. */
function ofKnownKind({ engine, kinds }: Look): RawBuilder<unknown> {
  if (kinds === undefined) return sql``
  if (engine === 'postgres') return sql`and kind = any(${kinds}::text[])`
  return sql`and kind in (select value from json_each(${JSON.stringify(kinds)}))`
}

/**
 * Lanes with a row that is due and that nobody holds. A loose walk along the index, so that lanes decide the cost and
 * not rows; where nothing at all is due it is not begun.
 */
export async function readDueLanes({ db }: Database, now: string): Promise<string[]> {
  const { rows } = await sql<{ lane: string }>`
    with recursive walk(lane) as (
      select case when exists (select 1 from queue where due_at <= ${now}) then (select min(lane) from queue) end
      union all
      select (select min(lane) from queue where lane > walk.lane) from walk where walk.lane is not null)
    select lane from walk
    where exists (select 1 from queue q
        where q.lane = walk.lane and occupied = 0 and behind = 0 and bulk in (0, 1) and due_at <= ${now})
      or exists (select 1 from queue q
        where q.lane = walk.lane and occupied = 1 and due_at <= ${now} and (lease_until is null or lease_until <= ${now}))
    order by lane = ${backgroundLane}`.execute(db)
  return rows.map(({ lane }) => lane)
}

/** Takes up again what is under way and due: calls to look after, and work whose holder is gone. */
export async function claimOccupied(tx: Tx, look: Look, max: number): Promise<Claimed[]> {
  const { engine, lane, now, leaseUntil, spareLeases } = look
  const { rows } = await sql<ClaimedRow>`
    update queue set lease_until = ${leaseUntil}, token = token + 1, tries = tries + 1
    where id in (
      select id from queue
      where lane = ${lane} and occupied = 1 and due_at <= ${now} and (lease_until is null ${spareLeases ? sql`` : sql`or lease_until <= ${now}`}) ${notInHand(look)} ${ofKnownKind(look)}
      order by due_at, id limit ${max} ${passOver(engine)})
    returning ${taken}`.execute(tx)
  return rows.map(claimed)
}

type Bulk = 0 | 1

/**
 * Begins new work, first what came by itself, then what came in bulk: of each number the row that was due first, unless
 * work for that number is under way, and no more than leaves `limit` pieces under way in the lane.
 * @returns what was begun, and how many rows were set aside because their number is busy
 */
export async function beginNew(tx: Tx, look: Look, limit: number, max: number) {
  const begun: Claimed[] = []
  let aside = 0
  for (const bulk of [0, 1] as const) {
    const room = max - begun.length
    if (room > 0) begun.push(...(await claimNew(tx, look, bulk, limit, room)))
    aside += await setBehind(tx, look, bulk)
  }
  return { begun, aside }
}

async function claimNew(tx: Tx, look: Look, bulk: Bulk, limit: number, max: number): Promise<Claimed[]> {
  const { engine, lane, leaseUntil } = look
  const free = sql`(select case when ${limit} - count(*) < ${max} then ${limit} - count(*) else ${max} end
    from queue where lane = ${lane} and occupied = 1)`
  const least = engine === 'postgres' ? sql`greatest(0, ${free})` : sql`max(0, ${free})`
  const { rows } = await sql<ClaimedRow>`
    update queue set lease_until = ${leaseUntil}, occupied = 1, token = token + 1, tries = tries + 1
    where id in (
      select id from (${dueRows(look, bulk)}) q
      where exclusive is null or (
        not exists (select 1 from queue o where o.exclusive = q.exclusive and o.occupied = 1)
        and not exists (select 1 from queue p where p.exclusive = q.exclusive and p.occupied = 0 and p.behind = 0
          and p.bulk = ${bulk} and (p.due_at, p.id) < (q.due_at, q.id)))
      order by due_at, id limit ${least})
    returning ${taken}`.execute(tx)
  return rows.map(claimed)
}

/** Sets aside the rows whose number is busy, so that the next look does not meet them. Answers how many. */
async function setBehind(tx: Tx, look: Look, bulk: Bulk): Promise<number> {
  const { numAffectedRows } = await sql`
    update queue set behind = 1
    where id in (
      select id from (${dueRows(look, bulk)}) q
      where exclusive is not null
        and exists (select 1 from queue o where o.exclusive = q.exclusive and o.occupied = 1))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Lets the next row of each number come forward. */
export async function callForward(tx: Tx, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return
  await sql`
    update queue set behind = 0
    where id in (
      select id from queue q
      where exclusive in (${sql.join(numbers)}) and occupied = 0 and behind = 1
        and not exists (select 1 from queue p where p.exclusive = q.exclusive and p.occupied = 0 and p.behind = 1
          and (p.bulk, p.due_at, p.id) < (q.bulk, q.due_at, q.id)))`.execute(tx)
}

const dueRows = (look: Look, bulk: Bulk) => sql`
  select id, exclusive, due_at from queue
  where lane = ${look.lane} and occupied = 0 and behind = 0 and bulk = ${bulk} and due_at <= ${look.now}
    ${ofKnownKind(look)}
  order by due_at, id limit ${window} ${passOver(look.engine)}`
