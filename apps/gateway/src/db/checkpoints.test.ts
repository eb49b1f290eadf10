import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Checkpoints } from './checkpoints.ts'

async function openLogged() {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-checkpoints-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'a.db')
  const file = new Sqlite(path)
  onTestFinished(() => void file.close())
  file.pragma('journal_mode = WAL')
  file.exec('create table t (n integer)')
  const own: number[] = []
  const checkpoints = new Checkpoints(path, (pages) => own.push(pages))
  onTestFinished(() => checkpoints.close())
  const write = (times: number) => {
    for (let n = 0; n < times; n++) {
      file.prepare('insert into t values (?)').run(n)
      checkpoints.written()
    }
  }
  /** How many rows the file itself holds, without its log. */
  const rowsInFile = async () => {
    const copy = join(directory, 'copy.db')
    await copyFile(path, copy)
    const alone = new Sqlite(copy)
    try {
      return (alone.prepare('select count(*) as n from t').get() as { n: number }).n
    } catch {
      return 0
    } finally {
      alone.close()
      await rm(`${copy}-wal`, { force: true })
    }
  }
  return { file, path, own, checkpoints, write, rowsInFile }
}

describe('checkpoints', () => {
  it('are made beside the event loop while much is written, and SQLite then leaves them', async () => {
    const { write, own, rowsInFile } = await openLogged()
    write(120)
    expect(own).toEqual([16_000])
    await expect.poll(rowsInFile, { timeout: 4500 }).toBeGreaterThan(0)
  })

  it('are left to SQLite while little is written', async () => {
    const { write, own, rowsInFile } = await openLogged()
    write(40)
    expect(own).toEqual([])
    expect(await rowsInFile()).toBe(0)
  })

  it('end with the database, and nothing of the log stays behind', async () => {
    const { file, path, own, write, checkpoints } = await openLogged()
    write(120)
    await checkpoints.close()
    expect(own).toEqual([16_000, 1000])
    file.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  it('go on with SQLite when the thread fails', async () => {
    const own: number[] = []
    const checkpoints = new Checkpoints('/nowhere/a.db', (pages) => own.push(pages))
    for (let n = 0; n < 120; n++) checkpoints.written()
    await expect.poll(() => own, { timeout: 4500 }).toEqual([16_000, 1000])
    await checkpoints.close()
  })
})
