import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scannedPile, scanPage } from '@faxdeck/documents/testing/scans'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../base/db/connect.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { shareDocuments } from '../../testing/shared-documents.ts'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'
import { receivedRow } from '../../inbox/inbound/testing/received-fax.ts'
import { insertInbound } from '../../inbox/inbound/store.ts'
import { createQueue } from '../../base/queue/create-queue.ts'
import { testContext } from '../../testing/test-context.ts'
import { layoutName, openText } from './cipher.ts'
import { gatherReadings } from './enqueue.ts'
import { queryOf, tokensOf } from './fold.ts'
import { packWords, unpackWords } from './layout.ts'
import { findPages, insertPages, newPage } from './store.ts'

const patient = { timeout: 60_000, interval: 100 }
const on = { FAX_TEXT: 'true' }
const upload = (text: string, name = 'letter.txt') => new File([text], name)

const send = (world: TestGateway, text: string, to = '+15555550123', name?: string) =>
  world.client.submitFax({ form: { to, file: upload(text, name) } })

const jobsWith = async ({ client }: TestGateway, q: string) =>
  (await client.listJobs({ query: { q } })).jobs.map(({ id }) => id)
const inboundWith = async ({ client }: TestGateway, q: string) =>
  (await client.listInbound({ query: { q } })).map(({ id }) => id)

/** Looks into the file of a gateway, as nobody else does. */
async function lookInto<T>({ directory }: TestGateway, ask: (db: Awaited<ReturnType<typeof connect>>) => Promise<T>) {
  const database = await connect(`sqlite:${directory}/faxdeck.db`)
  try {
    return await ask(database)
  } finally {
    await database.close()
  }
}

describe('the words of a text', () => {
  it('are compared without accents, case and punctuation', () => {
    expect(tokensOf('Müller, KATHARINA (b. 1961-09-07)')).toEqual(['muller', 'katharina', 'b', '1961', '09', '07'])
    expect(tokensOf('漢字 テスト')).toEqual(['漢', '字', 'テスト'])
    expect(queryOf(' -- ')).toBeUndefined()
  })

  it('come back with their places', () => {
    const words = [
      { text: 'Grüße', left: 0.1, top: 0.2, width: 0.3, height: 0.01 },
      { text: 'an\nalle', left: 0, top: 1, width: 1, height: 0 },
    ]
    const back = unpackWords(packWords(words))
    expect(back.map(({ text }) => text)).toEqual(['Grüße', 'an alle'])
    expect(back[0]?.left).toBeCloseTo(0.1, 4)
    expect(unpackWords(packWords([]))).toEqual([])
  })
})

/** What somebody typed, in which there is something to look for. */
function sought(typed: string) {
  const query = queryOf(typed)
  if (!query) throw new Error(`There is nothing to look for in ${typed}.`)
  return query
}

onEachDatabase((open) => {
  const page = (text: string) => ({
    source: 'document' as const,
    words: text.split(' ').map((word) => ({ text: word, left: 0, top: 0, width: 0.1, height: 0.1 })),
  })
  const ids = (n: number) => String(n).padStart(32, '0')

  it('finds pages by words, beginnings and numbers, the last ones first, in one direction', async () => {
    const database = await open()
    const facts = { facts: ['15555550123', 'rev32105555551'] }
    await database.db.transaction().execute(async (tx) => {
      await insertPages(tx, 'sent', [
        newPage(ids(1), 0, undefined, facts),
        newPage(ids(1), 1, page('Überweisung für Katharina Müller'), facts),
        newPage(ids(2), 1, page("O'Brien's referral: 12.5 mg 100% a|b & !c"), { facts: [] }),
        newPage(ids(2), 2, page('Katharina wird überwiesen'), { facts: [] }),
      ])
      await insertPages(tx, 'received', [newPage(ids(3), 1, page('katharina'), { facts: [] })])
      // A page that is read twice is there once.
      await insertPages(tx, 'sent', [newPage(ids(2), 2, page('something else'), { facts: [] })])
    })
    const find = async (typed: string, factsOnly = false) =>
      (await findPages(database, 'sent', sought(typed), { max: 10, factsOnly })).map(
        ({ fax_id: id, page: n }) => `${Number(id)}:${n}`,
      )
    expect(await find('KATHARINA')).toEqual(['2:2', '1:1'])
    expect(await find('muller katharina')).toEqual(['1:1'])
    expect(await find('überw')).toEqual(['2:2', '1:1'])
    expect(await find('üb')).toEqual([])
    expect(await find("o'brien")).toEqual(['2:1'])
    expect(await find(`"'; drop table sent_pages; --`)).toEqual([])
    expect(await find('550123')).toEqual(['1:1', '1:0'])
    expect(await find('(555) 555-0123')).toEqual(['1:1', '1:0'])
    expect(await find('+1 555 555')).toEqual(['1:1', '1:0'])
    expect(await find('katharina 15555550123')).toEqual(['1:1'])
    expect(await find('katharina', true)).toEqual([])
    expect(await find('550123', true)).toEqual(['1:0'])
    expect(await find('else')).toEqual([])
  })

  it('finds a received fax by its numbers from the moment it is there, however many wait to be read', async () => {
    const database = await open()
    const now = () => new Date()
    const context = testContext({ database, now, queue: createQueue({ database, now, leaseMs: 15_000 }) })
    const gather = gatherReadings(context)
    await database.db.transaction().execute(async (tx) => {
      await insertInbound(tx, receivedRow({ id: ids(8), received_at: now().toISOString() }))
      await gather(tx, [{ ts: '', event: 'inbound_received', job_id: ids(8) }])
    })
    const found = await findPages(database, 'received', sought('+15555550188'), { max: 10 })
    expect(found).toEqual([{ fax_id: ids(8), page: 0 }])
  })

  it('takes the text away with the document, whoever removes it, and the rest with the fax', async () => {
    const database = await open()
    const { db } = database
    const id = ids(7)
    await sql`insert into inbound_faxes (id, provider, provider_id, status, is_test, fetch_tries, received_at, created_at, updated_at, pdf_key)
      values (${id}, 'p', 'x', 'received', 0, 0, 'a', 'a', 'a', 'inbound/x.pdf')`.execute(db)
    await db.transaction().execute(async (tx) => {
      await insertPages(tx, 'received', [
        newPage(id, 0, undefined, { facts: ['4711'] }),
        newPage(id, 1, page('confidential'), { facts: ['4711'] }),
      ])
    })
    await db
      .insertInto('page_readings')
      .values({ fax_id: id, state: 'read', codes: '[{"format":"QRCode","text":"x"}]', updated_at: 'a' })
      .execute()
    const find = (typed: string) => findPages(database, 'received', sought(typed), { max: 10 })
    expect(await find('confidential')).toHaveLength(1)
    await db.updateTable('inbound_faxes').set({ pdf_key: null }).where('id', '=', id).execute()
    expect(await find('confidential')).toEqual([])
    expect(await find('4711')).toEqual([{ fax_id: id, page: 0 }])
    expect(await db.selectFrom('page_readings').selectAll().execute()).toEqual([])
    await db.deleteFrom('inbound_faxes').where('id', '=', id).execute()
    expect(await db.selectFrom('received_pages').selectAll().execute()).toEqual([])
  })
})

describe('a gateway', () => {
  it('finds sent faxes by their words, name and number, says where they stand, and shows an excerpt', async () => {
    const world = await startGateway({ env: on })
    const { id } = await send(
      world,
      'Referral of Katharina Müller\nto the cardiology clinic',
      undefined,
      'Befund 2026.txt',
    )
    await send(world, 'Something else')
    await vi.waitFor(async () => expect(await jobsWith(world, 'cardiology muller')).toEqual([id]), patient)
    expect(await jobsWith(world, 'befund')).toEqual([id])
    const { pages } = await world.client.getJobMarks({ params: { id }, query: { q: 'muller' } })
    expect(pages).toHaveLength(1)
    expect(pages[0]?.page).toBe(1)
    expect(pages[0]?.places).toHaveLength(1)
    expect(pages[0]?.places[0]?.top).toBeLessThan(0.1)
    const { faxes } = await world.client.searchFaxes({ query: { q: 'cardio' } })
    expect(faxes).toMatchObject([{ direction: 'sent', id, page: 1 }])
    expect(faxes[0]?.excerpt).toContain('to the cardiology clinic')
    const { items } = await world.client.listLogs({ query: { event: 'document_viewed' } })
    expect(items).toMatchObject([{ job_id: id, page: 1, size: 'excerpt', key_id: expect.any(String) }])
    await vi.waitFor(async () => {
      expect(await world.client.getJobText({ params: { id } })).toEqual({
        state: 'read',
        pages: [{ page: 1, text: 'Referral of Katharina Müller\nto the cardiology clinic' }],
      })
    }, patient)
    const { items: seen } = await world.client.listLogs({ query: { event: 'document_viewed' } })
    expect(seen[0]).toMatchObject({ job_id: id, page: 1, size: 'page' })
  }, 120_000)

  it('says why a fax has no text, without recording a view of it', async () => {
    const world = await startGateway({ env: { FAX_TEXT: 'false' } })
    const { id } = await send(world, 'Referral')
    const received = await world.client.simulateInbound({ body: { pages: 1 } })
    const unread = { state: 'off', pages: [] }
    expect(await world.client.getJobText({ params: { id } })).toEqual(unread)
    expect(await world.client.getInboundText({ params: { id: received.id } })).toEqual(unread)
    const { items } = await world.client.listLogs({ query: { event: 'document_viewed' } })
    expect(items).toEqual([])
    const { token } = await world.client.createApiKey({ body: { name: 'list', scopes: ['inbound:list'] } })
    const url = `/admin/inbound/${received.id}/text`
    expect((await world.app.inject({ url, headers: { 'x-api-key': token } })).statusCode).toBe(403)
  }, 120_000)

  it('finds received faxes by the words in their picture, by those who may read faxes', async () => {
    const world = await startGateway({ env: on })
    const { id } = await world.client.simulateInbound({ body: { fr: '+15555550177', pages: 1 } })
    await vi.waitFor(async () => expect(await inboundWith(world, '0177')).toEqual([id]), patient)
    await vi.waitFor(async () => {
      const rows = await lookInto(world, ({ db }) => db.selectFrom('received_pages').selectAll().execute())
      expect(rows.some(({ page }) => page === 1)).toBe(true)
    }, patient)
    const [row] = await lookInto(world, ({ db }) =>
      db.selectFrom('received_pages').select('layout').where('page', '=', 1).execute(),
    )
    const words = unpackWords(openText(layoutName(id, 1), row?.layout ?? '')).flatMap(({ text }) => tokensOf(text))
    const word = words.find((each) => /^[a-z]{5,}$/.test(each)) ?? ''
    expect(await inboundWith(world, word)).toEqual([id])
    const pdf = Buffer.from(await (await world.client.getInboundPdf({ params: { id } })).arrayBuffer())
    expect(pdf.includes('<pdfaid:part>2<')).toBe(true)
    const { token } = await world.client.createApiKey({ body: { name: 'list', scopes: ['inbound:list'] } })
    const listed = async (q: string) => {
      const answer = await world.app.inject({ url: `/inbound?q=${q}`, headers: { 'x-api-key': token } })
      return answer.json<{ id: string }[]>().map((fax) => fax.id)
    }
    expect(await listed('0177')).toEqual([id])
    expect(await listed(word)).toEqual([])
    const marks = await world.app.inject({
      url: `/admin/inbound/${id}/marks?q=${word}`,
      headers: { 'x-api-key': token },
    })
    expect(marks.statusCode).toBe(403)
  }, 120_000)

  it('hands out an uploaded scan with the text on it as an archive, and as it was uploaded', async () => {
    const documents = shareDocuments({})
    const text = Buffer.from('Referral to the cardiology clinic\n'.repeat(8))
    const image = await documents.page(text, 1, { paper: 'letter', resolution: 'fine' })
    const own = await documents.tiffToPdf(await scannedPile([await scanPage(image?.png ?? Buffer.alloc(0), {})]))
    // What another program added makes it one of another program.
    const scan = Buffer.concat([own, Buffer.from('\n')])
    const world = await startGateway({ env: on })
    const form = { to: '+15555550123', file: new File([new Uint8Array(scan)], 'scan.pdf') }
    const { id } = await world.client.submitFax({ form })
    await vi.waitFor(async () => expect(await jobsWith(world, 'cardiology')).toEqual([id]), patient)
    const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())
    const params = { id }
    expect((await bytesOf(await world.client.getJobOriginal({ params, query: {} }))).equals(scan)).toBe(true)
    await vi.waitFor(async () => {
      const pdf = await bytesOf(await world.client.getJobPdf({ params }))
      expect(pdf.includes('<pdfaid:part>2<')).toBe(true)
    }, patient)
    const trail = await world.client.listLogs({ query: { limit: 50 } })
    expect(JSON.stringify(trail)).toContain('admin_pdf_download')
  }, 120_000)

  it('goes on where it stopped: a page that was read is not read again', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'faxdeck-reading-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const pages = Array.from({ length: 3 }, (_, at) => `page ${at + 1}`).join('\f')
    const first = await startGateway({ env: { ...on, DATABASE_URL: `sqlite:${directory}/faxdeck.db` }, directory })
    const { id } = await send(first, pages)
    await vi.waitFor(async () => expect(await jobsWith(first, 'page')).toEqual([id]), patient)
    await vi.waitFor(async () => {
      const work = await lookInto(first, ({ db }) => db.selectFrom('queue').selectAll().execute())
      expect(work).toEqual([])
    }, patient)
    await first.stop()
    // As a crash after the first page leaves it.
    await lookInto(first, async ({ db }) => {
      await db.deleteFrom('sent_pages').where('page', '>', 1).execute()
      await db.updateTable('sent_pages').set({ text: 'kept', source: 'both' }).where('page', '=', 1).execute()
      const at = new Date().toISOString()
      const none = { exclusive: null, lease_until: null, occupied: 0, behind: 0, bulk: 0, token: 0, tries: 0 }
      const work = { id, kind: 'page_text', subject_id: id, lane: 'background', due_at: at, scheduled_at: at }
      await db
        .insertInto('queue')
        .values({ ...work, ...none, created_at: at })
        .execute()
    })
    const second = await startGateway({ env: { ...on, DATABASE_URL: `sqlite:${directory}/faxdeck.db` }, directory })
    await vi.waitFor(async () => {
      const rows = await lookInto(second, ({ db }) =>
        db.selectFrom('sent_pages').select(['page', 'source']).orderBy('page').execute(),
      )
      expect(rows.map(({ page, source }) => `${page} ${source}`)).toEqual([
        '0 facts',
        '1 both',
        '2 document',
        '3 document',
      ])
    }, patient)
  }, 120_000)

  it('reads nothing while it is turned off, finds numbers all the same, and reads the rest once it is on', async () => {
    const world = await startGateway()
    const { id } = await send(world, 'A word of its own: quetzal', '+15555550188')
    await vi.waitFor(async () => {
      const { faxes } = await world.client.searchFaxes({ query: { q: '550188' } })
      expect(faxes).toMatchObject([{ id, page: 0, excerpt: null }])
    }, patient)
    expect(await jobsWith(world, 'quetzal')).toEqual([])
    await world.client.updateSettings({ body: { fax_text: true } })
    await vi.waitFor(async () => expect(await jobsWith(world, 'quetzal')).toEqual([id]), patient)
  }, 120_000)

  it('forgets the text with the document that is past its time, down to the last byte of the index', async () => {
    let time = Date.now()
    const world = await startGateway({
      env: { ...on, ARTIFACT_TTL_DAYS: '1', INBOUND_RETENTION_DAYS: '1' },
      now: () => new Date(time),
    })
    const { id } = await send(world, 'Diagnosis: zzyzxitis')
    await vi.waitFor(async () => expect(await jobsWith(world, 'zzyzxitis')).toEqual([id]), patient)
    await vi.waitFor(
      async () => expect((await world.client.getFax({ params: { id } })).status).toBe('SUCCESS'),
      patient,
    )
    await world.stop()
    time += 3 * 24 * 3_600_000
    const intervals = vi.spyOn(globalThis, 'setInterval')
    const later = await startGateway({
      env: { ...on, ARTIFACT_TTL_DAYS: '1', INBOUND_RETENTION_DAYS: '1' },
      now: () => new Date(time),
      directory: world.directory,
    })
    await later.client.confirmClock({})
    // Nothing is deleted in the first hour.
    for (const [act, ms] of intervals.mock.calls) if (ms === 3_600_000) act()
    intervals.mockRestore()
    await vi.waitFor(
      async () => expect((await later.client.getJob({ params: { id } })).document_kept).toBe(false),
      patient,
    )
    // The test line delivers to this gateway: what was received goes too.
    await vi.waitFor(async () => expect(await inboundWith(later, 'zzyzxitis')).toEqual([]), patient)
    expect(await jobsWith(later, 'zzyzxitis')).toEqual([])
    await later.stop()
    await lookInto(later, async ({ db }) => sql`vacuum`.execute(db))
    expect(readFileSync(join(later.directory, 'faxdeck.db')).includes('zzyzxitis')).toBe(false)
  }, 120_000)

  it('offers the codes on the first page with the fax, in search and in webhooks, and keeps them out of the trail', async (context) => {
    const zint = (() => {
      try {
        const folder = '/tmp'
        const path = join(folder, `faxdeck-code-${process.pid}.png`)
        execFileSync('zint', ['-b', 'QRCODE', '-d', 'PAT-4711-X', '-o', path, '--scale=3', '--quietzones'])
        return path
      } catch {
        return undefined
      }
    })()
    context.skip(zint === undefined, 'zint is not on the PATH: install zint to have codes of another encoder read.')
    onTestFinished(() => rm(zint ?? '', { force: true }))
    const world = await startGateway({ env: { ...on, WEBHOOK_ALLOWED_CIDRS: '127.0.0.1' } })
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['inbound.received' as const] }
    await world.client.createWebhook({ body: hook })
    const png = new File([new Uint8Array(readFileSync(zint ?? ''))], 'code.png')
    const { id } = await world.client.submitFax({ form: { to: '+15555550123', file: png } })
    await vi.waitFor(async () => {
      const { codes } = await world.client.getFax({ params: { id } })
      expect(codes).toEqual([{ format: 'QRCode', text: 'PAT-4711-X' }])
    }, patient)
    await vi.waitFor(async () => expect(await jobsWith(world, 'PAT-4711-X')).toEqual([id]), patient)
    // The test line delivers to this gateway, where the code is read from the fax page.
    await vi.waitFor(async () => {
      const sent = await lookInto(world, ({ db }) => db.selectFrom('webhook_deliveries').select('body').execute())
      expect(sent.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
        { type: 'inbound.received', data: { codes: [{ format: 'QRCode', text: 'PAT-4711-X' }] } },
      ])
    }, patient)
    const trail = JSON.stringify(await world.client.listLogs({ query: { limit: 200 } }))
    expect(trail).toContain(id)
    expect(trail).not.toContain('PAT-4711')
  }, 120_000)
})
