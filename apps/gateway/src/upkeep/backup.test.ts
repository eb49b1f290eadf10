import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { readLastBackup } from '../base/backups/last-backup.ts'
import { lockInstance } from '../start/instance-lock.ts'
import { writeMigrated } from '../testing/migrated-file.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'

async function dataDirectory() {
  const base = await mkdtemp(join(tmpdir(), 'faxdeck-backup-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const directory = join(base, 'data')
  await mkdir(directory)
  await writeMigrated(join(directory, 'faxdeck.db'))
  const order = { directory, target: join(base, 'copy'), env: {}, now: new Date(), onProgress: () => undefined }
  return { directory, order }
}

it('a backup has neither caches nor what a file system or a lock keeps, and is noted', async () => {
  const { directory, order } = await dataDirectory()
  for (const folder of ['.cache/faxdeck', 'lost+found']) {
    await mkdir(join(directory, folder), { recursive: true })
    await writeFile(join(directory, folder, 'no-data'), 'x')
  }
  await writeFile(join(directory, 'master-key'), 'ab'.repeat(32))
  const unlock = lockInstance(join(directory, 'faxdeck.db'))
  const made = await backUp(order)
  unlock?.()
  expect(made.files.map(({ path }) => path).toSorted()).toEqual(['faxdeck.db', 'master-key'])
  const bytes = made.files.reduce((sum, { size }) => sum + size, 0)
  const note = { made_at: order.now.toISOString(), folder: order.target, files: 2, bytes, left_out: [] }
  expect([made.isNoted, readLastBackup(directory)]).toEqual([true, note])
})

it('a backup says that it has no documents of a bucket, also to whoever restores it', async () => {
  const { directory, order } = await dataDirectory()
  const database = new Sqlite(join(directory, 'faxdeck.db'))
  database.exec("insert into storage_places (kind, id) values ('s3', 'a-marker')")
  database.close()
  expect((await backUp(order)).left_out).toEqual(['s3'])
  const restored = join(directory, '../restored')
  const request = { source: order.target, directory: restored, now: () => new Date(), onProgress: () => undefined }
  expect((await restore(request)).backup.left_out).toEqual(['s3'])
})

it('a backup has the calls of a line as of one moment, while the line writes them', async () => {
  const base = await mkdtemp(join(tmpdir(), 'faxdeck-backup-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const directory = join(base, 'data')
  const folder = join(directory, 'lines/testline')
  await mkdir(folder, { recursive: true })
  await writeMigrated(join(directory, 'faxdeck.db'))
  const line = new Sqlite(join(folder, 'calls.db'))
  onTestFinished(() => void line.close())
  line.exec('pragma journal_mode = wal; create table calls (attempt text); insert into calls values (1)')
  await writeFile(join(folder, 'calls.db.lock'), '')
  const target = join(base, 'copy')
  const order = { directory, target, env: {}, now: new Date(), onProgress: () => undefined }
  const paths = (await backUp(order)).files.map(({ path }) => path)
  expect(paths.filter((path) => path.startsWith('lines'))).toEqual(['lines/testline/calls.db'])
  const copy = new Sqlite(join(target, 'lines/testline/calls.db'), { readonly: true })
  expect(copy.prepare('select attempt from calls').all()).toEqual([{ attempt: '1' }])
  copy.close()
})

it('a backup is made, and has it as it is, when the record of a line is damaged', async () => {
  const base = await mkdtemp(join(tmpdir(), 'faxdeck-backup-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const directory = join(base, 'data')
  await mkdir(join(directory, 'lines/testline'), { recursive: true })
  await writeMigrated(join(directory, 'faxdeck.db'))
  await writeFile(join(directory, 'lines/testline/calls.db'), 'no table'.repeat(1000))
  const order = { directory, target: join(base, 'copy'), env: {}, now: new Date(), onProgress: () => undefined }
  const lines = (await backUp(order)).files.filter(({ path }) => path.startsWith('lines'))
  expect(lines).toMatchObject([{ path: 'lines/testline/calls.db', size: 8000 }])
})

it('a backup has the received faxes of a line, and not the passwords of a program that the line runs', async () => {
  const base = await mkdtemp(join(tmpdir(), 'faxdeck-backup-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const directory = join(base, 'data')
  await mkdir(join(directory, 'lines/trunk/engine/etc'), { recursive: true })
  await mkdir(join(directory, 'lines/trunk/inbox'))
  await writeMigrated(join(directory, 'faxdeck.db'))
  await writeFile(join(directory, 'lines/trunk/engine/etc/pjsip.conf'), 'password = secret')
  await writeFile(join(directory, 'lines/trunk/inbox/1.1.tif'), 'pages')
  const order = { directory, target: join(base, 'copy'), env: {}, now: new Date(), onProgress: () => undefined }
  const paths = (await backUp(order)).files.map(({ path }) => path)
  expect(paths.filter((path) => path.startsWith('lines'))).toEqual(['lines/trunk/inbox/1.1.tif'])
})
