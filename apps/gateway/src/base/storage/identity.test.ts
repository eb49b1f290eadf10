import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../db/database.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { createSelectedStorage } from './select-storage.ts'
import { createIdentity } from './identity.ts'
import { createLocalStorage } from './local.ts'

const document = Buffer.from('%PDF-1.4')
const onDisk = {
  storage_backend: 'local',
  s3_bucket: null,
  s3_region: null,
  s3_prefix: '',
  s3_endpoint_url: null,
  s3_kms_key_id: null,
} as const

async function home(): Promise<{ directory: string; root: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-identity-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return { directory, root: join(directory, 'documents') }
}

/** As a gateway that has just started opens it. */
function open(database: Database, root: string, own = createLocalStorage(root)) {
  const events = { storageAccepted: vi.fn(async () => undefined) }
  const storage = createSelectedStorage(
    own,
    () => onDisk,
    (place, exists) => createIdentity({ place, exists, database, events }),
  )
  return { storage, events }
}

const receive = (database: Database, key: string) =>
  database.db
    .insertInto('inbound_faxes')
    .values({
      id: key,
      provider: 'testline',
      provider_id: key,
      from_number: null,
      to_number: null,
      status: 'received',
      pages: 1,
      size_bytes: 8,
      sha256: null,
      pdf_key: key,
      original_key: null,
      source: null,
      notification: null,
      error: null,
      is_test: 0,
      fetch_tries: 0,
      next_try_at: null,
      read_at: null,
      received_at: '2026-11-22T00:00:00.000Z',
      created_at: '2026-11-22T00:00:00.000Z',
      updated_at: '2026-11-22T00:00:00.000Z',
    })
    .execute()

const displaced = { name: 'StorageProblem', code: 'displaced' }

onEachDatabase((openDatabase, another) => {
  it('gives a new place a marker, and knows it again', async () => {
    const { root } = await home()
    const database = await openDatabase()
    await open(database, root).storage.check()
    const marker = await readFile(join(root, 'storage-id'), 'utf8')
    expect(marker).toMatch(/^[0-9a-f]{32}\n$/)
    await open(await another(database), root).storage.check()
    expect(await readFile(join(root, 'storage-id'), 'utf8')).toBe(marker)
  })

  it('agrees on one marker with a process that begins at once', async () => {
    const { root } = await home()
    const database = await openDatabase()
    const both = [open(database, root).storage, open(await another(database), root).storage]
    await Promise.all(both.map((storage) => storage.check()))
    for (const [n, storage] of both.entries()) await storage.put(`faxes/aa/${n}`, document)
    const [row] = await database.db.selectFrom('storage_places').selectAll().execute()
    expect((await readFile(join(root, 'storage-id'), 'utf8')).trim()).toBe(row?.id)
  })

  it('refuses everything while the folder is moved away, makes nothing in its place, and goes on when it is back', async () => {
    const { directory, root } = await home()
    const { storage } = open(await openDatabase(), root)
    await storage.check()
    await storage.put('faxes/aa/1', document)
    await rename(root, join(directory, 'elsewhere'))
    const calls = [
      () => storage.put('faxes/aa/2', document),
      () => storage.put('faxes/bb/2', document),
      () => storage.get('faxes/aa/1'),
      () => storage.open('faxes/aa/1'),
      () => storage.exists('faxes/aa/1'),
      () => storage.remove('faxes/aa/1'),
      () => storage.list('faxes')[Symbol.asyncIterator]().next(),
      () => storage.probe(),
      () => storage.check(),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject(displaced)
    expect(await readdir(directory)).toEqual(['elsewhere'])
    await rename(join(directory, 'elsewhere'), root)
    await storage.put('faxes/bb/2', document)
    expect(await storage.get('faxes/aa/1')).toEqual(document)
  })

  it('writes nothing into the empty folder that a volume leaves behind', async () => {
    const { directory, root } = await home()
    const { storage } = open(await openDatabase(), root)
    await storage.check()
    await storage.put('faxes/aa/1', document)
    await rename(root, join(directory, 'elsewhere'))
    await mkdir(root)
    await expect(storage.put('faxes/aa/2', document)).rejects.toMatchObject({
      ...displaced,
      message: expect.stringContaining(`${root} is not where this installation keeps its documents`),
    })
    expect(await readdir(root)).toEqual([])
  })

  it('promises nothing that was written while the volume went away', async () => {
    const { directory, root } = await home()
    const place = createLocalStorage(root)
    const leaving = {
      ...place,
      put: async (key: string, content: Uint8Array) => {
        await place.put(key, content)
        await rename(root, join(directory, 'elsewhere'))
      },
    }
    const { storage } = open(await openDatabase(), root, leaving)
    await storage.check()
    await expect(storage.put('faxes/aa/1', document)).rejects.toMatchObject(displaced)
  })

  it('refuses the folder of another installation', async () => {
    const [ours, theirs] = [await home(), await home()]
    const database = await openDatabase()
    const { storage } = open(database, ours.root)
    await storage.check()
    await writeFile(join(ours.root, 'storage-id'), `${'a'.repeat(32)}\n`)
    await expect(storage.put('faxes/aa/1', document)).rejects.toMatchObject(displaced)
    await expect(open(database, theirs.root).storage.check()).rejects.toMatchObject(displaced)
    expect(await readdir(theirs.directory)).toEqual([])
  })

  it('gives an earlier installation a marker when its documents are there, and not when they are not', async () => {
    const { root } = await home()
    const database = await openDatabase()
    const keys = Array.from({ length: 8 }, (_, n) => `inbound/aa/${n}`)
    for (const key of keys) await receive(database, key)
    await expect(open(database, root).storage.check()).rejects.toMatchObject({
      ...displaced,
      message: expect.stringContaining('the documents that the database knows are not there'),
    })
    const plain = createLocalStorage(root)
    for (const key of keys) await plain.put(key, document)
    await plain.remove('inbound/aa/3')
    const { storage, events } = open(database, root)
    await storage.check()
    expect(await storage.get('inbound/aa/1')).toEqual(document)
    expect(events.storageAccepted).not.toHaveBeenCalled()
  })

  it('takes what it finds where a person has accepted it, and records that', async () => {
    const { root } = await home()
    const database = await openDatabase()
    await receive(database, 'inbound/aa/1')
    await database.db.insertInto('storage_places').values({ kind: 'local', id: null }).execute()
    const { storage, events } = open(database, root)
    await storage.check()
    await storage.put('inbound/bb/1', document)
    expect(events.storageAccepted).toHaveBeenCalledOnce()
    await open(await another(database), root).storage.check()
  })

  it('finishes what a crash between the marker and the database left', async () => {
    const { root } = await home()
    const database = await openDatabase()
    await createLocalStorage(root).writeId('b'.repeat(32))
    await open(database, root).storage.check()
    expect(await database.db.selectFrom('storage_places').selectAll().execute()).toEqual([
      { kind: 'local', id: 'b'.repeat(32) },
    ])
  })
})
