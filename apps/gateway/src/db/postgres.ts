import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { Database } from './database.ts'
import { createListeners } from './signals.ts'
import type { Tables } from './tables.ts'

const channel = 'faxdeck'
const reconnectMs = 1000

/** Counts arrive as numbers: none of ours outgrows 2^53. */
function withNumbersForInt8(TypeOverrides: typeof pg.TypeOverrides, int8: number): pg.TypeOverrides {
  const types = new TypeOverrides()
  types.setTypeParser(int8, Number)
  return types
}

/** Keeps one connection listening; a lost one is replaced, and until then timers find the work. */
function listen(client: () => pg.Client, emit: (signal: string) => void): { stop: () => Promise<void> } {
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const again = () => {
    current = undefined
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(start, reconnectMs).unref()
  }
  const start = () => {
    const connection = client()
    current = connection
    connection.on('error', again)
    connection.on('end', again)
    connection.on('notification', ({ payload }) => payload && emit(payload))
    connection
      .connect()
      .then(() => connection.query(`listen ${channel}`))
      .catch(again)
  }
  start()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await current?.end()
    },
  }
}

function withoutPassword(url: string): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href
}

/** Connects to PostgreSQL. Connections are made on demand, so a server that is down shows at the first query. */
export async function openPostgres(url: string): Promise<Database> {
  const { default: driver } = await import('pg')
  const types = withNumbersForInt8(driver.TypeOverrides, driver.types.builtins.INT8)
  const pool = new driver.Pool({ connectionString: url, max: 10, types })
  // An idle connection that breaks is replaced by the pool; the query in hand reports its own error.
  pool.on('error', () => undefined)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const { emit, on } = createListeners()
  const listening = listen(() => new driver.Client({ connectionString: url }), emit)
  let closing: Promise<void> | undefined
  const close = async () => {
    await listening.stop()
    await db.destroy()
    // Kysely leaves alone a pool that it never asked.
    if (!pool.ending) await pool.end()
  }
  return {
    db,
    engine: 'postgres',
    shownUrl: withoutPassword(url),
    path: null,
    signals: {
      tell: async (tx, signal) => {
        await sql`select pg_notify(${channel}, ${signal})`.execute(tx)
      },
      on,
    },
    // Its commits are on disk when they return.
    synced: async () => undefined,
    close: () => (closing ??= close()),
  }
}
