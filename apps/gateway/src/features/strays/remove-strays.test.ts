import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../base/db/connect.ts'
import type { Database } from '../../base/db/database.ts'
import { markOf } from '../../base/db/mark.ts'
import { migrate } from '../../base/db/migrate.ts'
import { Events } from '../../base/events/events.ts'
import { type Folder, folders, newKey } from '../../base/storage/keys.ts'
import { createLocalStorage } from '../../base/storage/local.ts'
import { keysIn } from '../../base/storage/testing/keys-in.ts'
import { testContext } from '../../testing/test-context.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { removeStrays, strayCleanup } from './feature.ts'

const hour = 3_600_000
const bytes = Buffer.from('Dear colleague.')
const newId = () => randomBytes(16).toString('hex')

async function temporaryFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-strays-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** A storage with a sweep, and a clock that moves when told. */
async function storeroom(database: Database, directory: string) {
  const clock = { ms: Date.parse('2026-03-01T12:00:00.000Z') }
  const now = () => new Date(clock.ms)
  const storage = createLocalStorage(join(directory, 'documents'))
  const context = testContext({ database, storage, events: new Events(database, now), now })
  const mark = await markOf(database)
  return {
    context,
    pass: (ms: number) => (clock.ms += ms),
    clean: () => removeStrays(context),
    put: async (folder: Folder, of = mark, id = newId()) => {
      const key = newKey(folder, id, of, 'pdf')
      await storage.put(key, bytes)
      return key
    },
    stored: async () => (await Promise.all(folders.map((each) => keysIn(storage, each)))).flat().sort(),
    recorded: () => context.events.list({ event: 'strays_removed', limit: 50 }),
  }
}

onEachDatabase((open, another) => {
  describe('documents that belong to nothing', () => {
    it('are removed once they were seen so for a day, counted in the audit trail', async () => {
      const room = await storeroom(await open(), await temporaryFolder())
      for (const folder of folders) await room.put(folder)
      await room.put('faxes')
      for (const wait of [0, 23 * hour]) {
        room.pass(wait)
        await room.clean()
        expect(await room.stored()).toHaveLength(4)
      }
      const fresh = await room.put('faxes')
      room.pass(hour)
      await room.clean()
      expect(await room.stored()).toEqual([fresh])
      const counts = (await room.recorded()).map(({ folder, documents }) => `${String(folder)} ${String(documents)}`)
      expect(counts.sort()).toEqual(['faxes 2', 'inbound 1', 'uploads 1'])
    })

    it('are counted once when two processes remove them at once', async () => {
      const [database, directory] = [await open(), await temporaryFolder()]
      const [one, other] = [await storeroom(database, directory), await storeroom(await another(database), directory)]
      for (let n = 0; n < 20; n++) await one.put('faxes')
      await Promise.all([one.clean(), other.clean()])
      one.pass(24 * hour)
      other.pass(24 * hour)
      await Promise.all([one.clean(), other.clean()])
      expect(await one.stored()).toEqual([])
      const counted = (await one.recorded()).map(({ documents }) => Number(documents))
      expect(counted.reduce((sum, count) => sum + count, 0)).toBe(20)
    })

    it('are left alone when another database or another program has named them', async () => {
      const [directory, database] = [await temporaryFolder(), await open()]
      const room = await storeroom(database, directory)
      const others = [await room.put('faxes', '00000000')]
      for (const key of ['faxes/ab/report.pdf', `faxes/ab/${newId()}.pdf`, 'letters/ab/a.pdf']) {
        await room.context.storage.put(key, bytes)
        if (key.startsWith('faxes')) others.push(key)
      }
      await room.clean()
      room.pass(48 * hour)
      await room.clean()
      expect(await room.stored()).toEqual(others.sort())
      expect(await room.context.storage.exists('letters/ab/a.pdf')).toBe(true)
      expect(await room.recorded()).toEqual([])
    })

    it('may be files that were being written', async () => {
      const [directory, database] = [await temporaryFolder(), await open()]
      const room = await storeroom(database, directory)
      const key = `${newKey('inbound', newId(), await markOf(database), 'original')}.0123456789ab.tmp`
      await mkdir(join(directory, 'documents', key, '..'), { recursive: true })
      await writeFile(join(directory, 'documents', key), bytes)
      await room.clean()
      room.pass(24 * hour)
      await room.clean()
      expect(await room.stored()).toEqual([])
    })

    it('begin their day again when they belonged to something meanwhile', async () => {
      const database = await open()
      const { context, submit } = await faxDesk(database, makeLine())
      const key = newKey('faxes', newId(), await markOf(database), 'text')
      await context.storage.put(key, bytes)
      await removeStrays(context)
      const job = await submit({ document_key: key, id: key.slice(9, 41) })
      await removeStrays(context)
      await database.db.updateTable('fax_jobs').set({ document_key: null }).where('id', '=', job.id).execute()
      const later = { ...context, now: () => new Date(context.now().getTime() + 25 * hour) }
      await removeStrays(later)
      expect(await context.storage.exists(key)).toBe(true)
    })
  })

  describe('documents that belong to something', () => {
    it('stay: of a fax, of one that was sent again from it, of a request, an upload and a received fax', async () => {
      const database = await open()
      const mark = await markOf(database)
      const { context, submit } = await faxDesk(database, makeLine())
      const at = context.now().toISOString()
      const [own, shared, requested, uploaded, received, original] = await Promise.all(
        (['faxes', 'faxes', 'faxes', 'uploads', 'inbound', 'inbound'] as const).map(async (folder, index) => {
          const id = index === 5 ? 'f'.repeat(32) : newId()
          const key = newKey(folder, id, mark, 'pdf')
          await context.storage.put(key, bytes)
          return { key, id }
        }),
      )
      await submit({ id: own?.id, document_key: own?.key })
      const parent = await submit({ id: shared?.id, document_key: null })
      await submit({ parent_id: parent.id, document_key: shared?.key })
      const { db } = database
      const named = { caller_key_id: 'k1', created_at: at, expires_at: at, pages: 1 }
      await db
        .insertInto('fax_approvals')
        .values({
          ...named,
          id: `apr_${requested?.id}`,
          idempotency_key: null,
          fingerprint: '',
          state: 'waiting',
          to_number: '+15555550123',
          draft: '{}',
          document_key: requested?.key ?? null,
          decided_by: null,
          decided_at: null,
          job_id: null,
        })
        .execute()
      await db
        .insertInto('fax_uploads')
        .values({
          ...named,
          id: `upl_${uploaded?.id}`,
          document_key: uploaded?.key ?? '',
          file_name: null,
          size_bytes: 1,
        })
        .execute()
      for (const [fax, column] of [
        [received, 'pdf_key'],
        [original, 'original_key'],
      ] as const) {
        const row = {
          provider: 'made',
          provider_id: fax?.id ?? '',
          status: 'received',
          is_test: 0,
          fetch_tries: 0,
        } as const
        const none = { from_number: null, to_number: null, pages: 1, size_bytes: 1, sha256: null, source: null }
        const rest = { notification: null, error: null, next_try_at: null, read_at: null, received_at: at }
        await db
          .insertInto('inbound_faxes')
          .values({
            ...row,
            ...none,
            ...rest,
            id: fax?.id ?? '',
            pdf_key: null,
            original_key: null,
            created_at: at,
            updated_at: at,
            [column]: fax?.key,
          })
          .execute()
      }
      await removeStrays(context)
      await removeStrays({ ...context, now: () => new Date(context.now().getTime() + 48 * hour) })
      for (const document of [own, shared, requested, uploaded, received, original]) {
        expect(await context.storage.exists(document?.key ?? '')).toBe(true)
      }
    })
  })
})

describe('a gateway that is killed', () => {
  it('between storing and committing leaves a document, and a later one removes it', async () => {
    const folder = await temporaryFolder()
    const database = await connect(`sqlite:${join(folder, 'faxdeck.db')}`)
    onTestFinished(() => database.close())
    await migrate(database)
    const program = fileURLToPath(new URL('testing/die-storing.ts', import.meta.url))
    const { signal, stderr } = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' })
    expect(signal, stderr).toBe('SIGKILL')
    const room = await storeroom(database, folder)
    expect(await room.stored()).toHaveLength(1)
    expect(await database.db.selectFrom('fax_jobs').selectAll().execute()).toEqual([])
    const clean = strayCleanup(room.context)
    for (let hours = 0; hours < 30; hours++) {
      await clean()
      room.pass(hour)
    }
    expect(await room.stored()).toEqual([])
    expect(await room.recorded()).toMatchObject([{ folder: 'faxes', documents: 1 }])
  }, 30_000)
})
