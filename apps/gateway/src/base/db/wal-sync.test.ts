import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'
import { transact } from './transact.ts'
import { createWalSync } from './wal-sync.ts'

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-wal-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** What every open file does. */
async function fileHandles(): Promise<Pick<FileHandle, 'datasync'>> {
  const handle = await open(import.meta.filename)
  await handle.close()
  return Object.getPrototypeOf(handle) as FileHandle
}

it('shares one sync among all who ask while another runs, and begins a new one for them', async () => {
  const path = join(await folder(), 'a.db')
  await writeFile(`${path}-wal`, 'log')
  const log = createWalSync(path)
  const first = log.sync()
  const [second, third] = [log.sync(), log.sync()]
  expect(second).toBe(third)
  expect(second).not.toBe(first)
  await Promise.all([first, second])
  await log.sync()
  await log.close()
})

it('fails when there is no log, and works once there is one', async () => {
  const path = join(await folder(), 'a.db')
  const log = createWalSync(path)
  await expect(log.sync()).rejects.toMatchObject({ code: 'ENOENT' })
  await writeFile(`${path}-wal`, 'log')
  await log.sync()
  await log.close()
})

it('stands behind every transaction, before what follows it', async () => {
  const path = join(await folder(), 'a.db')
  const database = await connect(`sqlite:${path}`)
  await migrate(database)
  const seen: string[] = []
  const { synced } = database
  const watched = {
    ...database,
    synced: async () => {
      // Another connection sees the row: it is committed, and not yet promised.
      const file = new Sqlite(path, { readonly: true })
      const { n } = file.prepare('select count(*) as n from provider_sweeps').get() as { n: number }
      file.close()
      seen.push(`${n} committed`)
      await synced()
      seen.push('synced')
    },
  }
  await transact(watched, async (tx) => {
    await tx
      .insertInto('provider_sweeps')
      .values({ provider: 'a', direction: 'sent', swept_until: '2026-11-21T00:00:00.000Z' })
      .execute()
  })
  seen.push('answered')
  expect(seen).toEqual(['1 committed', 'synced', 'answered'])
  await database.close()
})

it('stands behind a single write outside a transaction, and behind no reading', async () => {
  const path = join(await folder(), 'a.db')
  const database = await connect(`sqlite:${path}`)
  await migrate(database)
  const sync = vi.spyOn(await fileHandles(), 'datasync')
  onTestFinished(() => sync.mockRestore())
  const row = { provider: 'a', direction: 'sent', swept_until: '2026-11-21T00:00:00.000Z' } as const
  await database.db.insertInto('provider_sweeps').values(row).execute()
  expect(sync).toHaveBeenCalledTimes(1)
  await database.db.selectFrom('provider_sweeps').selectAll().execute()
  await sql`select 1`.execute(database.db)
  expect(sync).toHaveBeenCalledTimes(1)
  await sql`delete from provider_sweeps`.execute(database.db)
  expect(sync).toHaveBeenCalledTimes(2)
  await database.close()
})
