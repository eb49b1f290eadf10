import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isNoContent } from '../base/settings/data-directory.ts'
import { lockInstance } from '../start/instance-lock.ts'
import { settleRestore } from '../start/interrupted-restore.ts'
import { writeMigrated } from '../testing/migrated-file.ts'
import { mayMount, mountSmall } from '../testing/small-disk.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'

const isLong = process.env['FAXDECK_LONG'] !== undefined
const isRoot = process.getuid?.() === 0
const child = fileURLToPath(new URL('testing/restore-and-die.ts', import.meta.url))
/** A user of every Debian system that owns nothing here. */
const daemon = 1
const files = {
  'documents/faxes/4f/4f2a.pdf': 'a sent fax',
  'documents/inbound/00/00c1.pdf': 'a received fax',
  'documents/storage-id': 'the marker',
  'master-key': 'ab'.repeat(32),
  'faxdeck.env': 'FAX_DISABLED=true\n',
}

/** A folder that others may pass through, but not write. */
function base(): string {
  const made = mkdtempSync(join(tmpdir(), 'faxdeck-places-'))
  chmodSync(made, 0o711)
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A data directory and its backup, and what sha256sum says of its files. */
async function backup(where: string) {
  const [directory, source] = [join(where, 'former'), join(where, 'backup')]
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  await writeMigrated(join(directory, 'faxdeck.db'))
  mkdirSync(join(directory, '.cache/faxdeck'), { recursive: true })
  writeFileSync(join(directory, '.cache/faxdeck/compiled'), 'no data')
  mkdirSync(join(directory, 'lost+found'))
  await backUp({ directory, target: source, env: {}, now: new Date(), onProgress: () => undefined })
  const sums = execFileSync('sha256sum', Object.keys(files), { cwd: directory }).toString()
  return { source, sums }
}

const content = (directory: string) => readdirSync(directory).filter((name) => !isNoContent(name))

/** Whether everything is there as sha256sum saw it, with a database that is whole, all of one owner. */
function expectNew(directory: string, sums: string, owner: number): void {
  expect(content(directory).toSorted()).toEqual(
    ['documents', 'faxdeck.db', 'faxdeck.env', 'last-backup.json', 'master-key'].toSorted(),
  )
  expect(() => execFileSync('sha256sum', ['--check', '--strict'], { cwd: directory, input: sums })).not.toThrow()
  const database = new Sqlite(join(directory, 'faxdeck.db'), { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  const restored = database.prepare("select count(*) from audit_events where event = 'database_restored'")
  expect(restored.pluck().get()).toBe(1)
  database.close()
  const owners = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => !isNoContent(name) && !parentPath.endsWith('+found'))
    .map(({ name, parentPath }) => statSync(join(parentPath, name)).uid)
  expect([...new Set(owners)]).toEqual([owner])
}

interface Way {
  way: string
  /** Who owns the data directory. */
  owner: number
  /** Who restores. */
  as: number
}
const own = process.getuid?.() ?? 0
const ways: Way[] = [
  { way: 'its user', owner: own, as: own },
  ...(isRoot
    ? [
        { way: 'the user of a service, who may write nothing beside it', owner: daemon, as: daemon },
        { way: 'root, for the user of a service', owner: daemon, as: 0 },
      ]
    : []),
]
const places = ['a folder', ...(mayMount() ? ['a mounted disk'] : [])]

/** An empty data directory. */
function emptyPlace(where: string, place: string, { owner }: Way): string {
  const directory = join(where, 'data')
  mkdirSync(directory)
  if (place !== 'a folder') onTestFinished(mountSmall(directory))
  // What a file system has from the beginning.
  if (isRoot) mkdirSync(join(directory, 'lost+found'), { mode: 0o700 })
  chmodSync(directory, 0o700)
  if (isRoot) chownSync(directory, owner, owner)
  return directory
}

const give = (folder: string, user: number) => isRoot && execFileSync('chown', ['-R', `${user}:${user}`, folder])

function run({ as }: Way, source: string, directory: string, last: number) {
  const env = { PATH: process.env.PATH ?? '', HOME: directory }
  const user = isRoot ? { uid: as, gid: as } : {}
  return spawnSync(process.execPath, [child, source, directory, String(last)], { env, ...user, encoding: 'utf8' })
}

/** Which steps a restore is killed before, counted from one. */
function chosen(steps: readonly string[], isShown: boolean): number[] {
  const some = isShown ? ['copied', 'synced', 'faxdeck.db', 'moved'] : []
  return steps.flatMap((step, at) => (isLong || some.includes(step) ? [at + 1] : []))
}

describe.each(ways)('a restore by $way', { timeout: 300_000 }, (way) => {
  it.each(places)('fills %s, or leaves it as it was, whenever it is killed', async (place) => {
    const where = base()
    const { source, sums } = await backup(where)
    // Root reads what only root may.
    if (way.as !== 0) give(source, way.as)
    const directory = emptyPlace(where, place, way)
    const whole = run(way, source, directory, 0)
    expect(whole.stderr).toBe('')
    expectNew(directory, sums, way.owner)
    const steps = whole.stdout.trim().split('\n')
    expect(steps).toEqual(expect.arrayContaining(['copied', 'held', 'synced', 'master-key', 'faxdeck.db', 'moved']))
    for (const at of chosen(steps, way === ways.at(-1) && place === places.at(-1))) {
      for (const name of content(directory)) rmSync(join(directory, name), { recursive: true })
      expect(run(way, source, directory, at).signal).toBe('SIGKILL')
      if (at <= steps.indexOf('synced') + 1) {
        expect(content(directory)).toEqual(['restoring'])
        expect(() => settleRestore(directory, false)).toThrow(
          /was interrupted before it was complete.*run "faxdeck restore" again/i,
        )
        expect(run(way, source, directory, 0).stderr).toBe('')
      } else if (at % 2 === 0) expect(settleRestore(directory, false)).toBe(true)
      // Or the command is repeated instead.
      else expect(run(way, source, directory, 0).stderr).toBe('')
      expectNew(directory, sums, way.owner)
      expect(settleRestore(directory, false)).toBe(false)
    }
  })
})

describe('a restore', () => {
  const order = (source: string, directory: string) => ({
    ...{ source, directory, now: () => new Date(), onProgress: () => undefined },
  })

  it('overwrites nothing, and names what is there', async () => {
    const where = base()
    const { source } = await backup(where)
    const directory = join(where, 'data')
    mkdirSync(directory)
    writeFileSync(join(directory, 'faxdeck.env'), 'FAX_DISABLED=true')
    await expect(restore(order(source, directory))).rejects.toThrow(/is not empty \(it has faxdeck.env\).*elsewhere/)
    expect(content(directory)).toEqual(['faxdeck.env'])
  })

  it('leaves the folder as it was when the backup is damaged', async () => {
    const where = base()
    const { source } = await backup(where)
    writeFileSync(join(source, 'master-key'), 'another key')
    await expect(restore(order(source, join(where, 'data')))).rejects.toThrow(
      'master-key is missing from the backup or was changed',
    )
    expect(existsSync(join(where, 'data'))).toBe(false)
  })

  it('waits for a gateway to stop, and keeps a second one and a gateway away', async () => {
    const where = base()
    const { source } = await backup(where)
    const directory = join(where, 'data')
    mkdirSync(join(directory, 'restoring'), { recursive: true })
    const unlock = lockInstance(join(directory, 'faxdeck.db'))
    await expect(restore(order(source, directory))).rejects.toThrow('Stop the gateway first')
    expect(() => settleRestore(directory, true)).toThrow('is being restored')
    unlock?.()
    expect(settleRestore(directory, true)).toBe(false)
    expect(content(directory)).toEqual([])
  })
})
