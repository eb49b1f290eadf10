import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newPostgresDatabase, waitForPostgres } from '../testing/databases.ts'
import { startGateway } from '../testing/start-gateway.ts'
import { isFirstStart } from '../../../../scripts/start/first-start.mjs'

/** A machine with a data directory that is not there yet, and a state directory beside it. */
async function machine(more: Record<string, string> = {}) {
  const base = await mkdtemp(join(tmpdir(), 'faxdeck-former-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const [directory, FAX_STATE_DIR] = [join(base, 'data'), join(base, 'state')]
  const start = (env: Record<string, string> = {}) =>
    startGateway({ directory, env: { FAX_STATE_DIR, ...more, ...env } })
  return { base, directory, FAX_STATE_DIR, start }
}

describe('a start without the data of before', () => {
  it('is refused with what to do, makes nothing, and goes on once the disk is mounted', async () => {
    const { base, directory, FAX_STATE_DIR, start } = await machine()
    expect(isFirstStart(directory, { FAX_STATE_DIR })).toBe(true)
    const first = await start()
    await first.stop()
    await rename(directory, join(base, 'disk'))
    await mkdir(directory)
    await expect(start()).rejects.toThrow(
      `This installation had its data in ${directory}, but there is no database at ${directory}/faxdeck.db. Mount its disk, correct FAX_DATA_DIR, or restore a backup with "faxdeck restore".`,
    )
    expect(isFirstStart(directory, { FAX_STATE_DIR })).toBe(false)
    expect(await readdir(directory)).toEqual([])
    await rm(directory, { recursive: true })
    await rename(join(base, 'disk'), directory)
    await expect(start()).resolves.toMatchObject({ key: first.key })
  })

  it('begins an empty installation when it is asked to, which counts from then on', async () => {
    const { directory, FAX_STATE_DIR, start } = await machine()
    await (await start()).stop()
    await rm(directory, { recursive: true })
    expect(isFirstStart(directory, { FAX_STATE_DIR, FAX_NEW_INSTALLATION: 'true' })).toBe(true)
    await (await start({ FAX_NEW_INSTALLATION: 'true' })).stop()
    await (await start()).stop()
    await rm(directory, { recursive: true })
    await expect(start()).rejects.toThrow('start once with --new')
  })

  it('is an ordinary first start where nothing remembers another one', async () => {
    const { directory } = await machine()
    await (await startGateway({ directory })).stop()
    await rm(directory, { recursive: true })
    await expect(startGateway({ directory })).resolves.toBeDefined()
  })

  it('is refused while a restore is not complete, and begins anew without it when asked to', async () => {
    const { directory, start } = await machine()
    await mkdir(join(directory, 'restoring'), { recursive: true })
    expect(isFirstStart(directory, {})).toBe(false)
    await expect(start()).rejects.toThrow(
      /A restore to .* was interrupted before it was complete, so nothing was restored/,
    )
    await start({ FAX_NEW_INSTALLATION: 'true' })
    expect(await readdir(directory)).not.toContain('restoring')
  })
})

describe('a database on PostgreSQL whose master key was in another data directory', () => {
  waitForPostgres()

  it('is refused before another key is made, and accepted with the key', async () => {
    const { directory, start } = await machine({ DATABASE_URL: await newPostgresDatabase() })
    await (await start()).stop()
    await rename(join(directory, 'master-key'), join(directory, 'kept-elsewhere'))
    await expect(start()).rejects.toThrow(
      /belongs to an installation whose master key is not in .*the same FAXDECK_MASTER_KEY/,
    )
    expect(await readdir(directory)).not.toContain('master-key')
    await rename(join(directory, 'kept-elsewhere'), join(directory, 'master-key'))
    await expect(start()).resolves.toBeDefined()
  })

  it('is shared by a further gateway that has the key and no data of its own', async () => {
    const key = { DATABASE_URL: await newPostgresDatabase(), FAXDECK_MASTER_KEY: 'ab'.repeat(32) }
    const [first, second] = [await machine(key), await machine(key)]
    const { stop } = await first.start()
    await stop()
    await rename(join(first.directory, 'documents'), join(first.base, 'documents'))
    await mkdir(second.directory)
    await rename(join(first.base, 'documents'), join(second.directory, 'documents'))
    await expect(second.start()).resolves.toBeDefined()
  })
})

it('a state directory that cannot be written keeps nobody from starting', async () => {
  const { base, start } = await machine()
  await writeFile(join(base, 'state'), 'a file')
  await expect(start()).resolves.toBeDefined()
})
