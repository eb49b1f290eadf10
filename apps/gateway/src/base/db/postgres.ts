import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { Database } from './database.ts'
import { createGuardedPool } from './guarded-pool.ts'
import { keepPulse } from './pulse.ts'
import { noReserve } from './reserve.ts'
import { serviceSessions } from './session-names.ts'
import type { Purpose } from './session.ts'
import { createListeners, signalNames } from './signals.ts'
import type { Tables } from './tables/tables.ts'

const channel = 'faxdeck'

/** Counts are parsed as numbers: none of ours exceeds 2^53. */
function withNumbersForInt8(TypeOverrides: typeof pg.TypeOverrides, int8: number): pg.TypeOverrides {
  const types = new TypeOverrides()
  types.setTypeParser(int8, Number)
  return types
}

/** An address that may be shown. */
export function withoutPassword(url: string): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href
}

export interface PostgresOptions {
  purpose?: Purpose
  /** The name under which the server shows these sessions. */
  name?: string
  /** Called when the server goes away, with the reason, and when it is back. */
  watch?: (reason: string | undefined) => void
}

/** A name in the address would override ours, and hide a running gateway from commands that must not run beside one. */
function withoutName(url: string): string {
  const [address = '', query] = url.split('?')
  if (query === undefined) return url
  const parameters = new URLSearchParams(query)
  parameters.delete('application_name')
  return parameters.size === 0 ? address : `${address}?${parameters}`
}

/** Writes the files of tables anew, for as long as that takes, unless somebody uses the tables for long. */
async function rewriteTables(session: pg.Client, tables: readonly string[]): Promise<void> {
  session.on('error', () => undefined)
  try {
    await session.connect()
    await session.query(`set lock_timeout = '2s'`)
    for (const table of tables) await session.query(`vacuum full ${session.escapeIdentifier(table)}`)
  } finally {
    await session.end().catch(() => undefined)
  }
}

const notify: Database['signals']['notify'] = async (tx, signal) => {
  await sql`select pg_notify(${channel}, ${signal})`.execute(tx)
}

/** Connects to PostgreSQL. Connections are made on demand, so a server that is down shows at the first query. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { purpose = 'service', name = serviceSessions, watch } = options
  const { default: driver } = await import('pg')
  const types = withNumbersForInt8(driver.TypeOverrides, driver.types.builtins.INT8)
  const { emit, on } = createListeners()
  let outage: string | undefined
  // A server that is down at the start is the starter's to speak of.
  let wasHere = false
  // It may be in use before the pulse has its own connection, and go away in between.
  const guard = { purpose, outage: () => outage, onConnected: () => (wasHere = true) }
  const named = { connectionString: withoutName(url), application_name: name }
  const pool = createGuardedPool(driver, { ...named, max: 10, types }, guard)
  const stopPulse = keepPulse({
    newClient: (socket) => new driver.Client({ ...named, keepAlive: true, stream: () => socket }),
    channel,
    onNotification: emit,
    onAway: (reason) => {
      if (wasHere && outage === undefined) watch?.(reason)
      outage = reason
      pool.breakAll(reason)
    },
    onConnected: () => {
      if (wasHere && outage !== undefined) watch?.(undefined)
      wasHere = true
      outage = undefined
      // Nobody knows what was said in the meantime.
      signalNames.forEach(emit)
    },
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { ...pool, options: {} } }) })
  let closing: Promise<void> | undefined
  const close = async () => {
    await stopPulse()
    await db.destroy()
    // Kysely leaves alone a pool that it never asked.
    await pool.end()
  }
  return {
    db,
    engine: 'postgres',
    shownUrl: withoutPassword(url),
    path: null,
    signals: { notify, on },
    // Its commits are on disk when they return.
    synced: async () => undefined,
    checkPlace: () => undefined,
    scrub: (tables) => rewriteTables(new driver.Client({ ...named, keepAlive: true }), tables),
    reserve: noReserve,
    close: () => (closing ??= close()),
  }
}
