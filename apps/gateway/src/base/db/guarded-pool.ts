import { Socket } from 'node:net'
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { DatabaseAway, meaningOf, wordsOf } from './outage.ts'
import { type Purpose, setLimits } from './session.ts'

/** How long making a connection, or waiting for a free one, may take. */
const connectMs = 3500
/** How long a commit may take before its outcome counts as unknown: the standby that must confirm it may be gone. */
const commitMs = 3500
/** The server alone ends a transaction that was sent to be committed; a time limit for statements must not, where a standby confirms. */
const commit = 'set local statement_timeout = 0; commit'

/** Connections to PostgreSQL. Losing one neither crashes the process nor leaves a caller waiting. */
export interface GuardedPool {
  connect: () => Promise<PostgresPoolClient>
  /** Breaks every connection: the server behind them is gone. */
  breakAll: (reason: string) => void
  end: () => Promise<void>
}

const rolledBack = { command: 'ROLLBACK', rows: [], rowCount: 0 } satisfies PostgresQueryResult<never>

class GuardedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient
  #isLost = false
  #isReleased = false
  #isInTransaction = false
  readonly #lost = () => (this.#isLost = true)

  constructor(client: pg.PoolClient) {
    this.#client = client
    client.on('error', this.#lost)
    client.on('end', this.#lost)
  }

  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(
    asked: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): PostgresCursor<R> | Promise<PostgresQueryResult<R>> {
    if (typeof asked !== 'string') throw new Error('Rows are read in pages here, not by a cursor.')
    return this.#run<R>(asked, parameters)
  }

  release(discard?: boolean): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#client.off('error', this.#lost)
    this.#client.off('end', this.#lost)
    this.#client.release(this.#isLost || discard)
  }

  async #run<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const isRollback = text === 'rollback'
    // Whatever a lost connection began was rolled back with it.
    if (isRollback && this.#isLost) return rolledBack
    // Also a commit: what never left cannot have been done.
    if (this.#isLost) throw new DatabaseAway('the connection ended')
    if (text === 'begin') this.#isInTransaction = true
    try {
      if (text === 'commit') return await this.#commit()
      // The driver's own types leave open which commands there are.
      return (await this.#client.query<never>(text, [...parameters])) as PostgresQueryResult<R>
    } catch (cause) {
      const { error, isLost } = meaningOf(cause, this.#isLost, text === 'commit' || this.#isLoneWrite(text))
      this.#isLost ||= isLost
      if (isRollback && this.#isLost) return rolledBack
      throw error
    }
  }

  /** Outside of a transaction the server commits by itself. */
  #isLoneWrite(text: string): boolean {
    return !this.#isInTransaction && !/^\s*select\b/i.test(text)
  }

  async #commit(): Promise<PostgresQueryResult<never>> {
    const late = setTimeout(() => {
      this.#isLost = true
      this.release()
    }, commitMs)
    try {
      await this.#client.query(commit)
      return { command: 'COMMIT', rows: [], rowCount: 0 }
    } finally {
      clearTimeout(late)
    }
  }
}

interface GuardedPoolParts {
  purpose: Purpose
  /** Why the server cannot be reached now; undefined while it can. */
  outage: () => string | undefined
  /** Called for each connection that was made. */
  onConnected: () => void
}

/** Connections on demand, at most as many as the configuration says; each failure says what it means. */
export function createGuardedPool(
  driver: { Pool: typeof pg.Pool },
  config: pg.PoolConfig,
  { purpose, outage, onConnected }: GuardedPoolParts,
): GuardedPool {
  const sockets = new Set<Socket>()
  const newSocket = () => {
    const socket = new Socket()
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }
  const pool = new driver.Pool({
    ...config,
    stream: newSocket,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    verify: (client, done) => void setLimits(client, purpose).then(() => done(), done),
  })
  // Whoever uses a connection is reported by the statement in hand; one that nobody uses is replaced.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    onConnected()
  })
  return {
    connect: async () => {
      const reason = outage()
      if (reason !== undefined) throw new DatabaseAway(reason)
      try {
        return new GuardedClient(await pool.connect())
      } catch (error) {
        throw pool.ending ? error : new DatabaseAway(outage() ?? wordsOf(error), error)
      }
    },
    breakAll: (reason) => {
      for (const socket of sockets) socket.destroy(new Error(reason))
    },
    end: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}
