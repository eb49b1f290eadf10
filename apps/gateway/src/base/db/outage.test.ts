import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newPostgresDatabase, waitForPostgres } from '../../testing/databases.ts'
import { faultyWay } from '../../testing/faulty-way.ts'
import { createCommitGroup } from './commit-group.ts'
import { connect } from './connect.ts'
import type { Database, Tx } from './database.ts'
import { DatabaseAway, meaningOf, OutcomeUnknown } from './outage.ts'
import { transact } from './transact.ts'

const within = { timeout: 10_000 }
const row = (key: string) => ({ key, value: '1', sealed: 0, updated_at: '', updated_by: 'test' })
const add = (tx: Tx, key: string) => tx.insertInto('saved_settings').values(row(key)).execute()
const keysOf = async ({ db }: Database) =>
  (await db.selectFrom('saved_settings').select('key').orderBy('key').execute()).map(({ key }) => key)
const works = (database: Database) =>
  sql`select 1`.execute(database.db).then(
    () => true,
    () => false,
  )
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

/** A database over a way that breaks, and directly. */
async function open() {
  const url = await newPostgresDatabase()
  const way = await faultyWay(url)
  const outages: (string | undefined)[] = []
  const database = await connect(way.url, { watch: (reason) => void outages.push(reason) })
  onTestFinished(() => database.close())
  const direct = new pg.Client({ connectionString: url })
  direct.on('error', () => undefined)
  await direct.connect()
  onTestFinished(() => direct.end())
  await expect.poll(() => works(database), within).toBe(true)
  return { url, way, database, direct, outages }
}

describe('a connection to PostgreSQL that breaks', () => {
  waitForPostgres()

  it('in the middle of a transaction is replaced, and the work done once', async () => {
    const { way, database } = await open()
    let runs = 0
    await transact(database, async (tx) => {
      await add(tx, `run ${++runs}`)
      if (runs === 1) way.breakOnce()
      await sql`select 1`.execute(tx)
    })
    expect(await keysOf(database)).toEqual(['run 2'])
  })

  it('before the driver reports it is not called an error of ours', async () => {
    const { url, direct } = await open()
    const client = new pg.Client({ connectionString: url })
    const broken = new Promise((resolve) => client.on('error', resolve))
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const waiting = failureOf(client.query('select pg_sleep(30)'))
    await direct.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await broken
    const unsent = await failureOf(client.query('insert into saved_settings default values'))
    expect(String(unsent)).toContain('not queryable')
    // It was not sent, so it is known that it did not happen, also where it would have committed by itself.
    expect(meaningOf(unsent, false, true)).toEqual({ error: expect.any(DatabaseAway), isLost: true })
    expect(meaningOf(unsent, false, true).error).not.toBeInstanceOf(OutcomeUnknown)
    expect(meaningOf(await waiting, false, false).error).toBeInstanceOf(DatabaseAway)
    const ended = new Error('Connection terminated unexpectedly')
    expect(meaningOf(ended, false, true).error).toBeInstanceOf(OutcomeUnknown)
  })

  it('by pg_terminate_backend, of all connections at once, ends nobody', async () => {
    const { database, direct } = await open()
    const terminate = () =>
      direct.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    const begun = Array.from({ length: 5 }, () => Promise.withResolvers<null>())
    const terminated = Promise.withResolvers<null>()
    const done = begun.map((one, n) =>
      transact(database, async (tx) => {
        await add(tx, `key ${n}`)
        one.resolve(null)
        await terminated.promise
        // None of them is being committed when its connection ends.
        await sql`select 1`.execute(tx)
      }),
    )
    await Promise.all(begun.map(({ promise }) => promise))
    await terminate()
    terminated.resolve(null)
    await Promise.all(done)
    expect(await keysOf(database)).toHaveLength(5)
    let reported = 0
    database.signals.on('settings', () => reported++)
    await expect
      .poll(async () => {
        await transact(database, (tx) => database.signals.notify(tx, 'settings'))
        return reported
      }, within)
      .toBeGreaterThan(0)
  })

  it('while it commits leaves the outcome open, and nothing is done twice', async () => {
    const { way, database } = await open()
    let runs = 0
    way.breakAtCommit('after')
    const lost = transact(database, async (tx) => {
      runs++
      await add(tx, 'a')
    })
    expect(await failureOf(lost)).toBeInstanceOf(OutcomeUnknown)
    expect(runs).toBe(1)
    expect(await keysOf(database)).toEqual(['a'])
  })

  it.each(['before', 'after'] as const)(
    'while a statement outside of a transaction writes (%s the server did) leaves the outcome open',
    async (when) => {
      const { way, database } = await open()
      way.breakAt('insert into', when)
      const lost = database.db.insertInto('saved_settings').values(row('a')).execute()
      expect(await failureOf(lost)).toBeInstanceOf(OutcomeUnknown)
      expect(await keysOf(database)).toEqual(when === 'after' ? ['a'] : [])
    },
  )

  it('while a statement outside of a transaction reads leaves nothing open', async () => {
    const { way, database } = await open()
    way.breakAt('saved_settings', 'after')
    const error = await failureOf(keysOf(database))
    expect(error).toBeInstanceOf(DatabaseAway)
    expect(error).not.toBeInstanceOf(OutcomeUnknown)
  })

  it.each(['before', 'after'] as const)(
    'while it commits (%s the server did) has those looked for that may be repeated',
    async (when) => {
      const { way, database } = await open()
      const seen: boolean[] = []
      const write = async (tx: Tx, keys: readonly string[], again: boolean) => {
        seen.push(again)
        const stored = again ? await tx.selectFrom('saved_settings').select('key').execute() : []
        for (const key of keys) if (!stored.some((each) => each.key === key)) await add(tx, key)
        return keys.map(() => true)
      }
      const group = createCommitGroup<string, boolean>(database, write, { repeatable: true })
      way.breakAtCommit(when)
      expect(await Promise.all(['a', 'b'].map(group.add))).toEqual([true, true])
      expect(seen).toEqual([false, true])
      expect(await keysOf(database)).toEqual(['a', 'b'])
    },
  )
})

describe('a PostgreSQL that', () => {
  waitForPostgres()

  it('refuses connections lets nobody wait, is spoken of once, and is used again when it is back', async () => {
    const { way, database, outages } = await open()
    way.cut()
    await expect.poll(() => outages.length, within).toBe(1)
    expect(await failureOf(sql`select 1`.execute(database.db))).toBeInstanceOf(DatabaseAway)
    expect(await failureOf(transact(database, (tx) => add(tx, 'a')))).toBeInstanceOf(DatabaseAway)
    let reported = 0
    database.signals.on('queue', () => reported++)
    way.mend()
    await expect.poll(() => works(database), within).toBe(true)
    await transact(database, (tx) => add(tx, 'a'))
    expect(outages).toEqual([expect.any(String), undefined])
    // What was said meanwhile reached nobody.
    await expect.poll(() => reported, within).toBe(1)
  })

  it('gives no answer any more lets go of everybody who waits, those who wait for their turn too', async () => {
    const { way, database } = await open()
    const group = createCommitGroup<string, boolean>(database, async (tx, keys) => {
      for (const key of keys) await add(tx, key)
      return keys.map(() => true)
    })
    way.freeze()
    const first = failureOf(group.add('a'))
    const query = failureOf(sql`select 1`.execute(database.db))
    await delay(20)
    const second = failureOf(group.add('b'))
    for (const error of await Promise.all([first, query, second])) expect(error).toBeInstanceOf(DatabaseAway)
    way.mend()
    await expect.poll(() => works(database), within).toBe(true)
    await group.add('c')
    expect(await keysOf(database)).toEqual(['c'])
  })

  it('does not answer a commit, but all else, lets go of everybody who waits, and the outcome is open', async () => {
    const { way, database } = await open()
    way.hangAtCommit()
    expect(await failureOf(transact(database, (tx) => add(tx, 'a')))).toBeInstanceOf(OutcomeUnknown)
    await transact(database, (tx) => add(tx, 'b'))
    expect(await keysOf(database)).toEqual(['a', 'b'])
  })

  it('became a standby is away until it may write', async () => {
    const { database, direct, outages } = await open()
    const name = (await direct.query('select current_database() as name')).rows[0].name as string
    await direct.query(`alter database ${name} set default_transaction_read_only = on`)
    await direct.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await expect.poll(() => outages[0], within).toContain('standby')
    expect(await failureOf(transact(database, (tx) => add(tx, 'a')))).toBeInstanceOf(DatabaseAway)
    await direct.query('set default_transaction_read_only = off')
    await direct.query(`alter database ${name} reset default_transaction_read_only`)
    await expect.poll(() => works(database), within).toBe(true)
    await transact(database, (tx) => add(tx, 'a'))
  })

  it('takes the locks from a process that froze, and those who waited go on', async () => {
    const { url, database } = await open()
    await transact(database, (tx) => add(tx, 'a'))
    const frozen = await connect(url)
    onTestFinished(() => frozen.close())
    const holds = Promise.withResolvers<null>()
    const thaw = Promise.withResolvers<null>()
    const change = (tx: Tx) => tx.updateTable('saved_settings').set({ value: '2' }).where('key', '=', 'a').execute()
    let changes = 0
    const late = transact(frozen, async (tx) => {
      await change(tx)
      holds.resolve(null)
      // To the server this is what a stopped process looks like.
      if (++changes === 1) await thaw.promise
    })
    await holds.promise
    expect(await failureOf(transact(database, change))).toBeInstanceOf(DatabaseAway)
    await expect
      .poll(
        () =>
          transact(database, change).then(
            () => true,
            () => false,
          ),
        within,
      )
      .toBe(true)
    thaw.resolve(null)
    expect(await failureOf(late)).toBeInstanceOf(DatabaseAway)
  })
})
