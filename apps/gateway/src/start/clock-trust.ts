import { sql } from 'kysely'
import type { GatewayContext } from '../context.ts'
import type { Database } from '../db/database.ts'

const hour = 3_600_000
const day = 24 * hour
/** A clock that is further ahead of another one, or of the time that has passed, was set wrong. */
const maxAheadMs = day
/** A gateway that was off for longer needs somebody who agrees with its clock. */
const maxOffMs = 7 * day
/** By then a clock that was wrong has been set right, or is believed. */
const settledMs = 6 * hour
const entriesLookedAt = 100

/** PostgreSQL's own time. A database in a file has none. */
async function serverTime({ db, engine }: Database): Promise<number[]> {
  if (engine === 'sqlite') return []
  const { rows } = await sql<{ ms: string }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
  return rows.map(({ ms }) => Number(ms))
}

/** When an earlier gateway last recorded something; the same instant when none did. */
async function lastRecorded({ db }: Database, before: number): Promise<number> {
  const newest = db.selectFrom('audit_events').select('ts').orderBy('seq', 'desc').limit(entriesLookedAt)
  const times = (await newest.execute()).map(({ ts }) => Date.parse(ts)).filter((at) => at < before)
  return times.length === 0 ? before : Math.max(...times)
}

/**
 * Whether the clock may say what is past its time: what is deleted by a clock that is a year ahead is gone for good. The
 * clocks of providers and of PostgreSQL vouch for it. Where none is known, it has to go on as the time that passes does,
 * and from where the last gateway stopped; after some hours it is believed all the same.
 * @param steady milliseconds that pass, whatever becomes of the clock
 */
export function createClockTrust(
  { database, providers, now }: Pick<GatewayContext, 'database' | 'providers' | 'now'>,
  steady: () => number = () => performance.now(),
): () => Promise<boolean> {
  const begun = { at: now().getTime(), steady: steady() }
  let base = begun
  let aheadSince: number | undefined
  let off: number | undefined

  const goesOn = (own: number): boolean => {
    if (own - base.at - (steady() - base.steady) <= maxAheadMs) {
      aheadSince = undefined
      return true
    }
    aheadSince ??= steady()
    if (steady() - aheadSince < settledMs) return false
    base = { at: own, steady: steady() }
    return true
  }
  const followsTheLast = async (): Promise<boolean> => {
    off ??= begun.at - (await lastRecorded(database, begun.at))
    return off <= maxOffMs || steady() - begun.steady >= settledMs
  }
  return async () => {
    const own = now().getTime()
    const seen = providers.providers.flatMap(({ id }) => providers.clock(id)?.now.getTime() ?? [])
    const others = [...seen, ...(await serverTime(database))]
    if (others.length > 0) return others.some((other) => own - other <= maxAheadMs)
    return goesOn(own) && (await followsTheLast())
  }
}
