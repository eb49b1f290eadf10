import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeMigrated } from '../../testing/migrated-file.ts'
import { connect } from './connect.ts'
import { findHome, type Home, HomeWatch, isSameHome } from './home.ts'
import { markOf } from './mark.ts'

const home: Home = { path: '/data/faxdeck.db', device: '8', inode: '1234', machine: 'a' }

it.each<[string, Partial<Home>, boolean]>([
  ['the same', {}, true],
  ['a device that has another number after a restart', { device: '9' }, true],
  ['a folder that was renamed', { path: '/srv/faxdeck.db' }, true],
  ['another container over the same volume', { machine: null }, true],
  ['a file system that numbers its files anew', { inode: null }, true],
  ['a copy beside it', { path: '/copy/faxdeck.db', inode: '99' }, false],
  ['a copy in its place', { inode: '99' }, false],
  ['a snapshot that is mounted elsewhere', { path: '/snapshot/faxdeck.db', device: '9' }, false],
  ['a disk in another machine', { machine: 'b' }, false],
  ['a copy that shows nothing but its path', { path: '/copy/faxdeck.db', inode: null }, false],
])('%s is found to be the same place or not', (_what, change, isSame) => {
  expect(isSameHome(home, { ...home, ...change })).toBe(isSame)
})

it('a copied folder asks until somebody answers, and its original and a renamed one do not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-home-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [first, copy, renamed] = ['first', 'copy', 'renamed'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(first)
  await writeMigrated(join(first, 'faxdeck.db'))
  const open = async (place: string) => {
    const database = await connect(`sqlite:${join(place, 'faxdeck.db')}`)
    onTestFinished(() => database.close().catch(() => undefined))
    return { database, watch: await HomeWatch.open(database) }
  }
  const original = await open(first)
  expect(original.watch.from).toBeUndefined()
  const mark = await markOf(original.database)
  await original.database.close()
  execFileSync('cp', ['-a', first, copy])
  expect((await open(first)).watch.from).toBeUndefined()
  const copied = await open(copy)
  expect(copied.watch.from).toBe((await findHome(join(first, 'faxdeck.db'))).path)
  expect((await open(copy)).watch.question).toContain('moved, or copied')
  await copied.watch.settle('copied')
  await copied.watch.settled
  const again = await open(copy)
  expect(again.watch.from).toBeUndefined()
  expect(await markOf(again.database)).not.toBe(mark)
  renameSync(copy, renamed)
  expect((await open(renamed)).watch.from).toBeUndefined()
})
