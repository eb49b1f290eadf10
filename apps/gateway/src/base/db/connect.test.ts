import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { onEachDatabase } from '../../testing/databases.ts'
import { writeMigrated } from '../../testing/migrated-file.ts'
import { connect } from './connect.ts'
import { databaseFacts } from './facts.ts'
import { migrate } from './migrate.ts'
import { transact } from './transact.ts'

const key = (name: string) => ({
  key: name,
  value: '1',
  sealed: 0,
  updated_at: '2026-01-01T00:00:00.000Z',
  updated_by: 'test',
})

describe('an address of no known kind', () => {
  it('is refused with an example', async () => {
    await expect(connect('mysql://localhost/faxes')).rejects.toThrow('Example: sqlite:./faxdata/faxdeck.db')
  })
})

it('a file that another process holds for a moment is waited for, also when the clock is set meanwhile', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-db-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeMigrated(join(directory, 'faxdeck.db'))
  const database = await connect(`sqlite:${directory}/faxdeck.db`)
  onTestFinished(() => database.close())
  const other = new Sqlite(join(directory, 'faxdeck.db'))
  onTestFinished(() => void other.close())
  other.exec('begin immediate')
  const now = Date.now()
  const clock = vi
    .spyOn(Date, 'now')
    .mockReturnValueOnce(now)
    .mockReturnValue(now + 3_600_000)
  onTestFinished(() => {
    clock.mockRestore()
  })
  const written = database.db.insertInto('saved_settings').values(key('a')).execute()
  await delay(20)
  other.exec('rollback')
  await written
})

onEachDatabase((open, another) => {
  it('migrates once when two processes start at once, and again without effect', async () => {
    const database = await open({ tables: false })
    const second = await another(database)
    await Promise.all([migrate(database), migrate(second)])
    await migrate(database)
    const head = await database.db.selectFrom('audit_head').selectAll().execute()
    expect(head).toEqual([{ id: 1, seq: 0, hash: '' }])
  })

  it('signals a change after its commit only, and to other connections of PostgreSQL too', async () => {
    const database = await open()
    const received = { settings: 0, audit: 0, inbound: 0 }
    for (const signal of ['settings', 'audit', 'inbound'] as const)
      database.signals.on(signal, () => received[signal]++)
    await expect(
      transact(database, async (tx) => {
        await database.signals.notify(tx, 'audit')
        throw new Error('not this time')
      }),
    ).rejects.toThrow('not this time')
    const change = () => transact(database, (tx) => database.signals.notify(tx, 'settings'))
    await expect.poll(() => change().then(() => received.settings - received.inbound)).toBeGreaterThan(0)
    // A connection that has just begun to listen signals everything once, also of what nobody changed.
    expect(received.audit).toBe(received.inbound)
  })

  it('repeats a transaction that met another one', async () => {
    const database = await open()
    const second = await another(database)
    await database.db.insertInto('saved_settings').values(key('a')).execute()
    const add = (on: typeof database) =>
      transact(on, async (tx) => {
        const row = await tx
          .selectFrom('saved_settings')
          .select('value')
          .where('key', '=', 'a')
          .$if(on.engine === 'postgres', (query) => query.forUpdate())
          .executeTakeFirstOrThrow()
        await tx
          .updateTable('saved_settings')
          .set({ value: String(Number(row.value) + 1) })
          .execute()
      })
    await Promise.all(Array.from({ length: 20 }, (_, n) => add(n % 2 ? database : second)))
    const row = await database.db.selectFrom('saved_settings').select('value').executeTakeFirstOrThrow()
    expect(row.value).toBe('21')
  })

  it('lets others be answered between the statements of a long transaction', async () => {
    const database = await open()
    // The turn in which the tables were made is over.
    await turn()
    let clock = 0
    const ticking = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 10))
    onTestFinished(() => {
      ticking.mockRestore()
    })
    let turns = 0
    const ended = new AbortController()
    const others = (async () => {
      while (!ended.signal.aborted) {
        await turn()
        turns++
      }
    })()
    const seen = await transact(database, async (tx) => {
      for (const name of ['a', 'b', 'c']) await tx.insertInto('saved_settings').values(key(name)).execute()
      return turns
    })
    ended.abort()
    ticking.mockRestore()
    await others
    expect(seen).toBeGreaterThan(0)
    expect(await database.db.selectFrom('saved_settings').selectAll().execute()).toHaveLength(3)
  })

  it('says how much it holds', async () => {
    const database = await open()
    const facts = await databaseFacts(database)
    expect(facts.counts).toEqual({ fax_jobs: 0, inbound_fax: 0, api_keys: 0, queue: 0, audit_events: 0 })
    expect(facts.sqlite?.exists).toBe(database.engine === 'sqlite' ? true : undefined)
  })

  it('shows its address without user and password', async () => {
    const database = await open()
    expect(database.shownUrl).not.toContain('password')
  })
})
