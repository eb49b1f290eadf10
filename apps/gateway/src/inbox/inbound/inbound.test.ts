import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocuments, type Documents } from '@faxdeck/documents'
import { type IncomingFax, ProviderProblem } from '@faxdeck/provider-kit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import { StorageProblem } from '../../base/storage/storage.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { countInbound, failedInbound, unclearInbound } from './overview.ts'
import { presentInbound } from './present.ts'
import { receiveFax } from './receive.ts'
import { inboundTotals, markRead } from './store.ts'
import { type Extra, openMailroom } from './testing/mailroom.ts'

let documents: Documents
let tiff: Buffer
let pdf: Buffer
beforeAll(async () => {
  documents = createDocuments()
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-pages-'))
  const path = join(directory, 'two-pages.tiff')
  await documents.toTiff(Buffer.from('first\fsecond'), path, { paper: 'letter', resolution: 'fine' })
  tiff = await readFile(path)
  pdf = Buffer.from(await documents.tiffToPdf(tiff))
  await rm(directory, { recursive: true })
})
afterAll(() => documents.close())

const incoming = (change: Partial<IncomingFax> = {}): IncomingFax => ({
  providerId: 'p-1',
  from: '+15550001111',
  to: '+15550002222',
  pages: 2,
  state: 'received',
  document: { bytes: tiff },
  ...change,
})

const mailroom = (database: Database, extra?: Extra) => openMailroom(database, documents, extra)

const received = async ({ context }: Awaited<ReturnType<typeof mailroom>>, change?: Partial<IncomingFax>) => {
  const result = await receiveFax(context, 'courier', incoming(change))
  if (!result) throw new Error('Receiving is off.')
  return result
}

onEachDatabase((open) => {
  describe('a received fax', () => {
    it('waits with its document on disk, then is received as a PDF with its original beside it', async () => {
      const room = await mailroom(await open())
      const { id, repeat } = await received(room)
      expect(repeat).toBe(false)
      const waiting = await room.fax(id)
      expect(waiting).toMatchObject({ status: 'waiting', pdf_key: null })
      expect(await room.storage.get(waiting.original_key ?? '')).toEqual(tiff)
      await room.work()
      const fax = await room.fax(id)
      expect(fax).toMatchObject({ status: 'received', pages: 2, size_bytes: tiff.length })
      expect((await room.storage.get(fax.pdf_key ?? '')).subarray(0, 5).toString()).toBe('%PDF-')
      expect(await room.storage.get(fax.original_key ?? '')).toEqual(tiff)
      expect(await room.events.list({ event: 'inbound_received', limit: 5 })).toMatchObject([
        { job_id: id, from: '********1111', to: '********2222' },
      ])
    })

    it('that came as a PDF is kept once, under the key of its PDF', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room, { document: { bytes: pdf } })
      await room.work()
      const { pdf_key: key, original_key: original } = await room.fax(id)
      expect([original, await room.stored()]).toEqual([null, [key]])
      expect(Buffer.compare(await room.storage.get(key ?? ''), pdf)).toBe(0)
    })

    it('that comes again changes nothing', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room)
      await room.work()
      const before = await room.fax(id)
      const again = await Promise.all([received(room, { document: { bytes: pdf } }), received(room, { pages: 9 })])
      expect(again).toEqual([
        { id, repeat: true },
        { id, repeat: true },
      ])
      expect(await room.work()).toBe(0)
      expect(await room.fax(id)).toEqual(before)
    })

    it('is one fax when its notification comes twice at once', async () => {
      const room = await mailroom(await open())
      const both = await Promise.all([received(room), received(room)])
      expect(both.filter(({ repeat }) => !repeat)).toHaveLength(1)
      expect(await room.stored()).toHaveLength(1)
      expect(await room.work()).toBe(1)
    })

    it('may come as a file that is removed once it is recorded', async () => {
      const room = await mailroom(await open())
      const path = join(room.directory, 'from-the-line.tiff')
      await writeFile(path, tiff)
      const { id } = await received(room, { document: { path } })
      await rm(path)
      await room.work()
      expect(await room.fax(id)).toMatchObject({ status: 'received' })
    })

    it('is refused while its document would lie in the wrong place, also one whose document is only announced', async () => {
      const room = await mailroom(await open())
      const check = vi
        .spyOn(room.storage, 'check')
        .mockRejectedValue(new StorageProblem('displaced', 'The folder is another one.'))
      const announced = incoming({ document: { fetch: 'https://courier.example/1.pdf' } })
      await expect(receiveFax(room.context, 'courier', announced)).rejects.toMatchObject({ code: 'displaced' })
      await expect(receiveFax(room.context, 'courier', incoming())).rejects.toMatchObject({ code: 'displaced' })
      expect(await room.stored()).toEqual([])
      check.mockRestore()
      expect(await receiveFax(room.context, 'courier', incoming())).toMatchObject({ repeat: false })
    })

    it('is not recorded while receiving is off', async () => {
      const room = await mailroom(await open(), { enabled: false })
      expect(await receiveFax(room.context, 'courier', incoming())).toBeUndefined()
      await expect(room.inbound.routes.listInbound(room.call({ query: { limit: 5 } }))).rejects.toMatchObject({
        code: 'inbound_disabled',
      })
    })

    it('that broke off keeps the pages that came, says why, and needs a look until it is read', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room, { state: 'failed', sentence: 'The caller hung up.' })
      await room.work()
      expect(await room.fax(id)).toMatchObject({ status: 'failed', error: 'The caller hung up.', pages: 2 })
      expect(await room.stored()).toHaveLength(2)
      const { db } = room.context.database
      const looked = async () => presentInbound(await room.fax(id), {}).needs_attention
      expect([await looked(), (await inboundTotals(db, '2026-01-01')).unread]).toEqual([true, 1])
      await markRead(db, { ids: [id], visible: 'all' }, room.context.now().toISOString())
      expect([await looked(), (await inboundTotals(db, '2026-01-01')).unread]).toEqual([false, 0])
    })

    it('that broke off without pages is recorded as failed', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room, { state: 'failed', document: null })
      expect(await room.fax(id)).toMatchObject({
        status: 'failed',
        error: 'The call ended before the fax was complete.',
      })
      expect(presentInbound(await room.fax(id), {}).needs_attention).toBe(false)
    })

    it('whose pushed document cannot be read fails at once and keeps what came', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room, { document: { bytes: Buffer.from('%PDF-1.4 broken') } })
      await room.work()
      expect(await room.fax(id)).toMatchObject({ status: 'failed', next_try_at: null })
      expect(await room.stored()).toHaveLength(1)
      room.clock.now = new Date('2026-03-31T12:01:00Z')
      await room.inbound.expire()
      expect(await room.stored()).toEqual([])
    })
  })

  it('a document that a fax cannot be is never shown as one, and the reason is kept', async () => {
    const room = await mailroom(await open())
    const { id } = await received(room, { document: { bytes: Buffer.from('Dear colleague,\nthis is a letter.\n') } })
    await room.work()
    expect(await room.fax(id)).toMatchObject({
      status: 'failed',
      pdf_key: null,
      error: 'The received document is neither PDF nor TIFF, so it is not a fax.',
    })
  })

  describe('an announced fax', () => {
    it('is fetched again after a minute, then two, until its document is here', async () => {
      const answers = [new ProviderProblem('unreachable', 'The provider does not answer.'), undefined]
      const fetch = async () => {
        const problem = answers.shift()
        if (problem) throw problem
        return pdf
      }
      const room = await mailroom(await open(), { fetch })
      const { id } = await received(room, { document: { fetch: 'media/1' } })
      await room.work()
      expect(await room.fax(id)).toMatchObject({
        status: 'waiting',
        error: 'The provider does not answer.',
        fetch_tries: 1,
        next_try_at: '2026-03-01T12:01:00.000Z',
      })
      expect(await room.work()).toBe(0)
      room.clock.now = new Date('2026-03-01T12:01:00Z')
      await room.work()
      expect(await room.fax(id)).toMatchObject({ status: 'received', pages: 2, error: null, original_key: null })
    })

    it('whose document cannot be read is fetched again too: what comes next may be whole', async () => {
      const answers = [Buffer.from('%PDF-1.4 broken'), pdf]
      const room = await mailroom(await open(), { fetch: async () => answers.shift() ?? pdf })
      const { id } = await received(room, { document: { fetch: 'media/1' } })
      await room.work()
      expect(await room.fax(id)).toMatchObject({ status: 'waiting', next_try_at: '2026-03-01T12:01:00.000Z' })
      room.clock.now = new Date('2026-03-01T12:01:00Z')
      await room.work()
      expect(await room.fax(id)).toMatchObject({ status: 'received', pages: 2 })
    })

    it('stands upright where that is wanted, is kept as it came beside that, and says what was done', async () => {
      const text = Buffer.from('The patient was seen by the physician this day.\n'.repeat(20))
      const upright = Buffer.from(await documents.toPdf(text, { paper: 'letter' })).toString('latin1')
      const upsideDown = Buffer.from(upright.replaceAll('/Type/Page/', '/Rotate 180/Type/Page/'), 'latin1')
      const settings = { inbound_upright: true }
      const room = await mailroom(await open(), { fetch: async () => upsideDown, settings })
      const { id } = await received(room, { document: { fetch: 'media/1' } })
      await room.work()
      const sentence = 'Page 1 was rotated 180°. The original is kept.'
      const fax = await room.inbound.routes.getInbound(room.call({ params: { id } }))
      // Its offsets are wrong, which is said as well.
      expect(fax.page_notes).toMatchObject([{ kind: 'repaired' }, { page: 1, kind: 'tidied', sentence, places: [] }])
      const original = await room.inbound.routes.getInboundOriginal(room.call({ params: { id } }))
      expect(Buffer.compare(original.content as Buffer, upsideDown)).toBe(0)
      const pages = await Promise.all(
        [await room.storage.get((await room.fax(id)).pdf_key ?? ''), Buffer.from(upright, 'latin1')].map((source) =>
          documents.page(source, 1, { paper: 'letter', resolution: 'fine' }),
        ),
      )
      expect(Buffer.compare(pages[0]?.png ?? Buffer.alloc(0), pages[1]?.png ?? Buffer.alloc(1))).toBe(0)
    })

    it('is handed out as it came, byte by byte, where a PDF was fetched', async () => {
      const room = await mailroom(await open(), { fetch: async () => pdf })
      const { id } = await received(room, { document: { fetch: 'media/1' } })
      await room.work()
      expect((await room.fax(id)).original_key).toBeNull()
      const original = await room.inbound.routes.getInboundOriginal(room.call({ params: { id } }))
      expect(Buffer.compare(original.content as Buffer, pdf)).toBe(0)
    })

    it('fails after a day, and can then be fetched by a person', async () => {
      let reachable = false
      const fetch = () =>
        reachable ? Promise.resolve(pdf) : Promise.reject(new ProviderProblem('unreachable', 'The provider is down.'))
      const room = await mailroom(await open(), { fetch })
      const { id } = await received(room, { document: { fetch: 'media/1' } })
      room.clock.now = new Date('2026-03-02T12:00:01Z')
      await room.work()
      expect(await room.fax(id)).toMatchObject({ status: 'failed', error: 'The provider is down.' })
      reachable = true
      await room.inbound.routes.fetchInboundAgain(room.call({ params: { id } }))
      await room.work()
      expect(await room.fax(id)).toMatchObject({ status: 'received', error: null })
      await expect(room.inbound.routes.fetchInboundAgain(room.call({ params: { id } }))).rejects.toMatchObject({
        code: 'conflict',
      })
    })
  })

  describe('a fax of which nobody knows how it ended', () => {
    const sentence = 'Courier did not say how this fax ended. Check whether all pages arrived.'
    const unclear = { state: 'unclear', sentence } as const

    it('is kept with its document and the notice without secrets, and concerns a person until they have looked', async () => {
      const room = await mailroom(await open())
      const notification = '{"id":"p-1","status":"PARTLY","by":"a-courier-password"}'
      const { id } = await received(room, { ...unclear, notification })
      expect(await unclearInbound(room.context, 5)).toMatchObject([{ id, from: '+15550001111', sentence }])
      await room.work()
      expect(await room.inbound.routes.getInbound(room.call({ params: { id } }))).toMatchObject({
        status: 'received',
        error: null,
        concern: sentence,
        notice: '{"id":"p-1","status":"PARTLY","by":"[removed]"}',
        needs_attention: true,
        document_kept: true,
      })
      expect(await room.events.list({ event: 'inbound_received', limit: 5 })).toMatchObject([{ concern: sentence }])
      await room.inbound.routes.markInboundRead(room.call({ params: { id }, body: { read: true } }))
      expect(await unclearInbound(room.context, 5)).toEqual([])
    })

    it('is kept without a document too', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room, { ...unclear, document: null })
      expect(await room.fax(id)).toMatchObject({ status: 'failed', error: sentence, concern: sentence })
      expect(await failedInbound(room.context, '2026-01-01T00:00:00.000Z', 5)).toEqual([])
      expect(await unclearInbound(room.context, 5)).toHaveLength(1)
    })

    it('concerns nobody any more when the provider makes it clear', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room, unclear)
      await room.work()
      expect(await received(room, unclear)).toEqual({ id, repeat: true })
      expect(await unclearInbound(room.context, 5)).toHaveLength(1)
      expect(await received(room)).toEqual({ id, repeat: true })
      expect(await unclearInbound(room.context, 5)).toEqual([])
      expect(await room.fax(id)).toMatchObject({ status: 'received', concern: null, error: null })
      expect(await room.events.list({ event: 'inbound_settled', limit: 5 })).toMatchObject([{ job_id: id }])
    })

    it('gets the document of a later notice, and fails when that says so', async () => {
      const room = await mailroom(await open())
      const first = await received(room, { ...unclear, document: null })
      await received(room)
      await room.work()
      expect(await room.fax(first.id)).toMatchObject({ status: 'received', concern: null, error: null, pages: 2 })
      const second = await received(room, { ...unclear, providerId: 'p-2' })
      await room.work()
      await received(room, { providerId: 'p-2', state: 'failed', sentence: 'The caller hung up.', document: null })
      expect(await room.fax(second.id)).toMatchObject({ status: 'failed', concern: null, error: 'The caller hung up.' })
    })

    it('gets the document of a later notice also where the first one could not be read', async () => {
      const room = await mailroom(await open(), { fetch: () => Promise.resolve(pdf) })
      const broken = { ...unclear, document: { bytes: Buffer.from('%PDF-1.4 broken') } }
      for (const [providerId, document] of [
        ['p-1', { bytes: pdf }],
        ['p-2', { fetch: 'media/2' }],
      ] as const) {
        const { id } = await received(room, { ...broken, providerId })
        await room.work()
        expect(await room.fax(id)).toMatchObject({ status: 'failed', pdf_key: null })
        await received(room, { providerId, document })
        await room.work()
        expect(await room.fax(id)).toMatchObject({ status: 'received', concern: null, error: null, pages: 2 })
      }
    })

    it('keeps its concern when a person has judged it, and gets its document all the same', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room, { ...unclear, document: null })
      await room.inbound.routes.markInboundRead(room.call({ params: { id }, body: { read: true } }))
      await received(room)
      await room.work()
      expect(await room.fax(id)).toMatchObject({ concern: sentence, status: 'received', pages: 2, error: null })
    })

    it('keeps its concern when a person has judged its pages', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room, unclear)
      await room.inbound.routes.markInboundRead(room.call({ params: { id }, body: { read: true } }))
      await received(room)
      expect(await room.fax(id)).toMatchObject({ concern: sentence })
    })
  })

  describe('a fax that was reported as failed without a document', () => {
    const failure = { state: 'failed', sentence: 'The caller hung up.', document: null } as const

    it('gets that of a later notice, once however many come, and is received when the notice says so', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room, failure)
      await Promise.all([received(room), received(room)])
      expect(await room.stored()).toHaveLength(1)
      expect(await room.work()).toBe(1)
      expect(await room.fax(id)).toMatchObject({ status: 'received', pages: 2, error: null, broke_off: null })
    })

    it('stays failed with the pages that came until it broke off', async () => {
      const room = await mailroom(await open(), { fetch: () => Promise.resolve(pdf) })
      const { id } = await received(room, failure)
      await received(room, { ...failure, document: { fetch: 'media/1' } })
      await room.work()
      expect(await room.fax(id)).toMatchObject({ status: 'failed', pages: 2, error: failure.sentence })
    })

    it('does not get back what was removed after its time', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room, { ...failure, document: { bytes: tiff } })
      await room.work()
      room.clock.now = new Date('2026-03-31T12:01:00Z')
      await room.inbound.expire()
      await received(room, { ...failure, document: { bytes: tiff } })
      expect(await room.work()).toBe(0)
      expect([await room.stored(), (await room.fax(id)).status]).toEqual([[], 'failed'])
    })
  })

  it('a secret is removed from a notice also where that is cut off', async () => {
    const room = await mailroom(await open())
    const [before, after] = ['{"pad":"', '","by":"a-courier-password"}']
    const notification = `${before}${'x'.repeat(8192 - before.length - after.length + 10)}${after}`
    const { id } = await received(room, { notification })
    const { notification: kept } = await room.fax(id)
    expect([kept?.length, kept?.includes('a-courier')]).toEqual([8192, false])
  })

  it('a document is not fetched again while receiving is off, and who asked for it is recorded', async () => {
    const room = await mailroom(await open(), { fetch: () => Promise.resolve(pdf) })
    const { id } = await received(room, { document: { fetch: 'media/1' } })
    const before = await room.fax(id)
    room.settings.inbound_enabled = false
    const again = () => room.inbound.routes.fetchInboundAgain(room.call({ params: { id } }))
    await expect((async () => again())()).rejects.toMatchObject({ code: 'inbound_disabled' })
    expect(await room.fax(id)).toEqual(before)
    expect(await room.events.list({ event: 'inbound_fetch_requested', limit: 5 })).toEqual([])
    for (let more = 0; more < 20; more++) await expect((async () => again())()).rejects.toThrow()
    const refused = { job_id: id, key_id: 'k1', backend: 'courier', reason: 'inbound_disabled' }
    expect(await room.events.list({ event: 'inbound_fetch_refused', limit: 5 })).toEqual([
      expect.objectContaining(refused),
    ])
    room.settings.inbound_enabled = true
    await again()
    const asked = { job_id: id, key_id: 'k1', backend: 'courier' }
    expect(await room.events.list({ event: 'inbound_fetch_requested', limit: 5 })).toMatchObject([asked])
  })

  describe('the inbox', () => {
    it('is paged by the cursor of the last fax, newest first', async () => {
      const room = await mailroom(await open())
      for (let n = 1; n <= 5; n++) {
        await received(room, {
          providerId: `p-${n}`,
          receivedAt: new Date(Date.UTC(2026, 1, n)),
          document: null,
          state: 'failed',
        })
      }
      const list = (query: object) => room.inbound.routes.listInbound(room.call({ query: { limit: 2, ...query } }))
      const first = await list({})
      const second = await list({ cursor: first[1]?.cursor })
      const third = await list({ cursor: second[1]?.cursor })
      expect([...first, ...second, ...third].map(({ provider_sid }) => provider_sid)).toEqual([
        'p-5',
        'p-4',
        'p-3',
        'p-2',
        'p-1',
      ])
      await expect(list({ cursor: 'bm9uc2Vuc2U' })).rejects.toMatchObject({ code: 'bad_request' })
    })

    it('counts what came today and what is unread', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room)
      await room.work()
      expect(await countInbound(room.context)).toEqual({ today: 1, unread: 1 })
      await room.inbound.routes.markInboundRead(room.call({ params: { id }, body: { read: true } }))
      expect(await countInbound(room.context)).toEqual({ today: 1, unread: 0 })
      await received(room, { providerId: 'p-broken', document: null, state: 'failed' })
      expect(await countInbound(room.context)).toEqual({ today: 1, unread: 0 })
    })

    it('reports what failed recently, also what could not be fetched for a day before that', async () => {
      const room = await mailroom(await open())
      const failed = { document: null, state: 'failed', sentence: 'The caller hung up.' } as const
      await received(room)
      await received(room, { ...failed, providerId: 'p-old', receivedAt: new Date('2026-02-26T12:00:00Z') })
      const slow = { ...failed, providerId: 'p-slow', receivedAt: new Date('2026-02-28T11:00:00Z') }
      const { id } = await received(room, slow)
      const reported = { id, from: '+15550001111', sentence: 'The caller hung up.', at: '2026-03-01T12:00:00.000Z' }
      expect(await failedInbound(room.context, '2026-03-01T11:00:00.000Z', 20)).toEqual([reported])
      expect(await failedInbound(room.context, '2026-03-01T12:00:01.000Z', 20)).toEqual([])
    })

    it('receives a simulated fax through the same path and marks it as a test', async () => {
      const room = await mailroom(await open())
      const asked = room.inbound.routes.simulateInbound(
        room.call({ body: { to: '+15550009999', pages: 3, status: 'received' } }),
      )
      await expect.poll(() => room.work(), { timeout: 8000 }).toBe(1)
      const { id } = await asked
      expect(await room.fax(id)).toMatchObject({ status: 'received', is_test: 1, pages: 3, provider: 'courier' })
    })

    it('names the addresses to register with the provider that receives, and with one that is only considered', async () => {
      const { inbound, call } = await mailroom(await open())
      const ask = (backend?: string) => inbound.routes.listCallbacks(call({ query: { backend } }))
      expect(ask()).toEqual({
        backend: 'courier',
        callbacks: [
          {
            name: 'Courier received faxes',
            url: 'https://fax.example.test/courier-inbound',
            content_types: ['multipart/form-data', 'application/json'],
            preferred_content_type: 'multipart/form-data',
          },
          { name: 'Courier hand-over', url: '/_internal/courier', header: 'X-Internal-Secret' },
        ],
      })
      expect(ask('other').callbacks).toMatchObject([{ url: 'https://fax.example.test/other-inbound' }])
      await expect((async () => ask('nobody'))()).rejects.toMatchObject({ code: 'bad_request' })
    })

    it('loses documents after the retention time and keeps the details', async () => {
      const room = await mailroom(await open())
      const { id } = await received(room)
      await room.work()
      room.clock.now = new Date('2026-03-31T11:59:00Z')
      await room.inbound.expire()
      expect(await room.stored()).toHaveLength(2)
      room.clock.now = new Date('2026-03-31T12:01:00Z')
      await room.inbound.expire()
      expect(await room.stored()).toEqual([])
      expect(await room.fax(id)).toMatchObject({ status: 'received', pdf_key: null, pages: 2 })
      expect(await room.events.list({ event: 'inbound_deleted', limit: 5 })).toMatchObject([{ job_id: id }])
    })
  })
})
