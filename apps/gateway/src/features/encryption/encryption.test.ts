import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../base/db/connect.ts'
import { writeMigrated } from '../../testing/migrated-file.ts'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'
import { filesWith } from '../../base/storage/testing/files-with.ts'
import { backUp, restore, rotateKey } from '../../upkeep/index.ts'

const word = 'Quibbleton'
const text = `Referral of Katharina ${word}\nto the cardiology clinic`
const patient = { timeout: 60_000, interval: 100 }

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-encryption-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

const envOf = (directory: string) => ({ FAX_TEXT: 'true', DATABASE_URL: `sqlite:${directory}/faxdeck.db` })
const startIn = (directory: string, env: Record<string, string> = {}) =>
  startGateway({ directory, env: { ...envOf(directory), ...env } })

async function home(): Promise<string> {
  const directory = await folder()
  await writeMigrated(join(directory, 'faxdeck.db'))
  return directory
}

const send = async ({ client }: TestGateway): Promise<string> =>
  (await client.submitFax({ form: { to: '+15555550123', file: new File([text], 'letter.txt') } })).id

const found = async ({ client }: TestGateway, q: string) =>
  // The test line hands it back, and that copy is read a little later.
  (await client.searchFaxes({ query: { q } })).faxes
    .filter(({ direction }) => direction === 'sent')
    .map(({ id, excerpt }) => ({ id, excerpt }))

/** Sends a fax and waits until its words are found. */
async function sendAndRead(world: TestGateway): Promise<string> {
  const id = await send(world)
  await vi.waitFor(async () => {
    expect(await found(world, 'quibb')).toMatchObject([{ id, excerpt: expect.stringContaining(word) }])
  }, patient)
  expect(await found(world, 'quibbleton cardiology')).toMatchObject([{ id }])
  return id
}

/** How many files hold the word, as written or as it is compared. */
const plainIn = async (directory: string) =>
  (await filesWith(directory, word)) + (await filesWith(directory, 'quibbleton'))

describe('a gateway', () => {
  it('leaves no word of a document on the disk, and finds it by its words all the same', async () => {
    const directory = await home()
    const world = await startIn(directory)
    const id = await sendAndRead(world)
    expect(await plainIn(directory)).toBe(0)
    await world.stop()
    expect(await plainIn(directory)).toBe(0)
    const again = await startIn(directory)
    expect(await found(again, 'quibbleton')).toMatchObject([{ id }])
  }, 180_000)

  it('encrypts what lies there once encryption is turned on', async () => {
    const directory = await home()
    const off = await startIn(directory, { DOCUMENT_ENCRYPTION: 'off' })
    const id = await sendAndRead(off)
    await off.stop()
    expect(await plainIn(directory)).toBeGreaterThan(0)
    const on = await startIn(directory, { DOCUMENT_ENCRYPTION: 'on' })
    await vi.waitFor(async () => expect(await filesWith(join(directory, 'documents'), word)).toBe(0), patient)
    await vi.waitFor(async () => {
      expect(await on.gateway.events.list({ event: 'documents_encrypted', limit: 5 })).toHaveLength(1)
    }, patient)
    expect(await found(on, 'quibbleton')).toMatchObject([{ id, excerpt: expect.stringContaining(word) }])
    await vi.waitFor(async () => expect(await plainIn(directory)).toBe(0), patient)
  }, 180_000)

  it('encrypts at once when it is turned on in the settings, says so, and leaves no word in any file', async () => {
    const directory = await home()
    const world = await startIn(directory, { DOCUMENT_ENCRYPTION: 'off' })
    const id = await sendAndRead(world)
    // What was deleted lies in free space, where sealing does not find it.
    const database = await connect(`sqlite:${directory}/faxdeck.db`)
    await database.db.deleteFrom('received_pages').execute()
    await database.close()
    expect(await world.client.getEncryption({})).toMatchObject({ state: 'off' })
    await world.client.updateSettings({ body: { document_encryption: 'on' } })
    await vi.waitFor(async () => expect(await world.client.getEncryption({})).toMatchObject({ state: 'done' }), patient)
    // While it runs: the log beside the database is not to be left to the next checkpoint.
    expect(await plainIn(directory)).toBe(0)
    expect(await found(world, 'quibbleton')).toMatchObject([{ id, excerpt: expect.stringContaining(word) }])
    expect((await world.client.runDiagnostics({})).checks.storage).toMatchObject({ stored_encrypted: 'done' })
  }, 180_000)

  it('erases at the next start what it was erasing when it was killed, or what an earlier version left', async () => {
    const directory = await home()
    const off = await startIn(directory, { DOCUMENT_ENCRYPTION: 'off' })
    await sendAndRead(off)
    await off.stop()
    const database = await connect(`sqlite:${directory}/faxdeck.db`)
    await database.db.deleteFrom('sent_pages').execute()
    await database.db.deleteFrom('received_pages').execute()
    await database.db.updateTable('installation').set({ has_plain: 0 }).execute()
    await database.close()
    expect(await filesWith(directory, 'quibbleton')).toBeGreaterThan(0)
    const on = await startIn(directory, { DOCUMENT_ENCRYPTION: 'on' })
    await vi.waitFor(async () => expect(await on.client.getEncryption({})).toMatchObject({ state: 'done' }), patient)
    expect(await filesWith(directory, 'quibbleton')).toBe(0)
  }, 180_000)

  it('comes back from a backup, also with a new wrapping key', async () => {
    const directory = await home()
    const world = await startIn(directory)
    const id = await sendAndRead(world)
    const copy = join(await folder(), 'copy')
    const env = envOf(directory)
    await backUp({ directory, target: copy, env, now: new Date(), onProgress: () => undefined })
    expect(await plainIn(copy)).toBe(0)
    await world.stop()
    const rotated = await rotateKey({ directory, env, now: () => new Date(), onProgress: () => undefined })
    expect(rotated.documents).toBeGreaterThanOrEqual(2)
    const restored = join(await folder(), 'restored')
    await restore({ source: copy, directory: restored, now: () => new Date(), onProgress: () => undefined })
    for (const each of [directory, restored]) {
      const again = await startIn(each)
      expect(await found(again, 'quibbleton')).toMatchObject([{ id, excerpt: expect.stringContaining(word) }])
      await again.stop()
    }
  }, 180_000)

  it('does not start with another master key, and says why', async () => {
    const directory = await home()
    await (await startIn(directory)).stop()
    const other = { FAXDECK_MASTER_KEY: 'ab'.repeat(32) }
    await expect(startIn(directory, other)).rejects.toMatchObject({
      message: /The master key does not open the stored documents/,
    })
  }, 60_000)

  it('makes no new master key where the one that sealed everything is missing, and removes what a killed change left', async () => {
    const directory = await home()
    await (await startIn(directory)).stop()
    await rename(join(directory, 'master-key'), join(directory, 'kept-elsewhere'))
    await expect(startIn(directory)).rejects.toThrow(/whose master key is not in .*No new key was made/)
    expect((await readdir(directory)).filter((name) => name.startsWith('master-key'))).toEqual([])
    await rename(join(directory, 'kept-elsewhere'), join(directory, 'master-key'))
    // No process has this id.
    await writeFile(join(directory, 'master-key.next.4194999'), 'half')
    await startIn(directory)
    expect((await readdir(directory)).filter((name) => name.startsWith('master-key'))).toEqual(['master-key'])
  }, 60_000)

  it('of before encryption goes on as it was', async () => {
    const directory = await home()
    const database = await connect(`sqlite:${directory}/faxdeck.db`)
    await database.db.updateTable('installation').set({ encrypts: 0, has_plain: 1 }).execute()
    await database.close()
    const world = await startIn(directory)
    await send(world)
    expect(await filesWith(join(directory, 'documents'), word)).toBe(1)
  }, 60_000)
})
