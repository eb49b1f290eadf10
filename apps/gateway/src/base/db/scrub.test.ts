import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { filesWith } from '../storage/testing/files-with.ts'
import { writeMigrated } from '../../testing/migrated-file.ts'
import { PostgresServer } from '../../testing/postgres-server.ts'
import { connect } from './connect.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { transact } from './transact.ts'

const word = 'quibbleton'
const running = new AbortController().signal

/** Writes words, and takes them out again: some rows are deleted, others changed. */
async function writeAndForget(database: Database): Promise<void> {
  const rows = Array.from({ length: 300 }, (_, page) => {
    return { fax_id: 'a', page, source: 'recognized' as const, text: `${word} ${'x'.repeat(page + 1)}`, layout: null }
  })
  await database.db
    .insertInto('sent_pages')
    .values(rows as never)
    .execute()
  await database.db.updateTable('sent_pages').set({ text: 'changed' }).where('page', '<', 150).execute()
  await database.db.deleteFrom('sent_pages').where('page', '>=', 150).execute()
}

it('leaves nothing that was deleted in a SQLite file or its log, while others go on writing', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-scrub-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeMigrated(join(directory, 'faxdeck.db'))
  const database = await connect(`sqlite:${directory}/faxdeck.db`)
  onTestFinished(() => database.close())
  await writeAndForget(database)
  expect(await filesWith(directory, word)).toBeGreaterThan(0)
  const scrubbing = database.scrub(['sent_pages'], running)
  let written = 0
  const write = () =>
    transact(database, async (tx) => {
      await tx.updateTable('sent_pages').set({ text: 'again' }).where('page', '=', 1).execute()
      written += 1
    })
  await Promise.all([scrubbing, write(), write(), write()])
  expect(written).toBe(3)
  expect(await filesWith(directory, word)).toBe(0)
})

it('is as it was when it is ended half-way', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-scrub-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeMigrated(join(directory, 'faxdeck.db'))
  const database = await connect(`sqlite:${directory}/faxdeck.db`)
  onTestFinished(() => database.close())
  await writeAndForget(database)
  const ending = new AbortController()
  const scrubbing = database.scrub(['sent_pages'], ending.signal)
  setTimeout(() => ending.abort(), 60)
  await scrubbing.catch(() => undefined)
  expect(await database.db.selectFrom('sent_pages').select('page').execute()).toHaveLength(150)
  await database.scrub(['sent_pages'], running)
  expect(await filesWith(directory, word)).toBe(0)
})

it('leaves nothing that was deleted in the tables of PostgreSQL', { timeout: 60_000 }, async () => {
  const postgres = await PostgresServer.start()
  onTestFinished(() => postgres.remove())
  const database = await connect(await postgres.newDatabase())
  onTestFinished(() => database.close())
  await migrate(database)
  await writeAndForget(database)
  await postgres.ask('checkpoint')
  const tables = join(postgres.home, 'data/base')
  expect(await filesWith(tables, word)).toBeGreaterThan(0)
  await database.scrub(['sent_pages', 'received_pages', 'page_readings'], running)
  await postgres.ask('checkpoint')
  expect(await filesWith(tables, word)).toBe(0)
})
