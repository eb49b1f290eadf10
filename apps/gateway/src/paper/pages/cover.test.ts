import { describe, expect, it } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { datedCover } from './cover.ts'
import { readPdf } from '../../fax/read/document.ts'
import { expireFaxes } from '../../fax/expire.ts'

const to = '+15555550123'
const letter = () => new File(['First page\fSecond page'], 'letter.txt')
const said = {
  cover: 'formal',
  cover_to: 'Dr. Jane Doe',
  cover_from: 'Records',
  cover_subject: 'Results',
  cover_note: 'Please call back.\nThank you.',
} as const
/** Its time would tell two pictures of one page apart. */
const env = { FAX_HEADER_LINE: 'false' }
/** Two covers of different minutes are different pages. */
const atOneMoment = () => new Date('2026-03-02T09:30:00Z')
const bytesOf = async (image: Blob) => Buffer.from(await image.arrayBuffer()).toString('base64')
const kept = {
  template: 'plain',
  to: 'Dr. Doe',
  from: null,
  fromNumber: null,
  subject: null,
  note: 'Call back.',
} as const
const delivered = { status: 'SUCCESS', pages: 3, pages_confirmed: 3 }

describe('the cover page of a fax', () => {
  it('is page 1 wherever its pages are: counted, previewed, quoted, sent, received and sent again', async () => {
    const { client } = await startGateway({ env })
    const fax = await client.submitFax({ form: { to, file: letter(), ...said } })
    expect(fax).toMatchObject({ pages: 3, cover: 'formal' })
    const get = () => client.getFax({ params: { id: fax.id } })
    await expect.poll(get, { timeout: 8000 }).toMatchObject(delivered)

    const page = async (id: string, n: number) =>
      bytesOf(await client.getJobPage({ params: { id, page: n }, query: {} }))
    const plain = await client.submitFax({ form: { to: '+15555550124', file: letter() } })
    expect([await page(fax.id, 2), await page(fax.id, 3)]).toEqual([await page(plain.id, 1), await page(plain.id, 2)])
    expect(await page(fax.id, 1)).not.toBe(await page(fax.id, 2))

    await expect.poll(() => client.listInbound({ query: {} }), { timeout: 45_000, interval: 2000 }).not.toEqual([])
    const received = (await client.listInbound({ query: {} })).find(({ pages }) => pages === 3)
    const arrived = await client.getInboundPage({ params: { id: received?.id ?? '', page: 1 }, query: {} })
    expect(await bytesOf(arrived)).toBe(await page(fax.id, 1))

    const without = await client.getJobOriginal({ params: { id: fax.id }, query: { cover: 'false' } })
    const bare = await client.getJobOriginal({ params: { id: plain.id }, query: {} })
    expect(await bytesOf(without)).toBe(await bytesOf(bare))
    const words = (await client.getJob({ params: { id: fax.id } })).cover_text
    expect(words).toEqual({ from: 'Records', subject: 'Results', note: expect.stringMatching(/^Please call back/) })

    const again = await client.resendJob({ params: { id: fax.id } })
    expect(again).toMatchObject({ pages: 3, cover: 'formal' })
    expect(await client.getJob({ params: { id: plain.id } })).toMatchObject({ pages: 2, cover: null })
    expect(await page(again.id, 2)).toBe(await page(fax.id, 2))
    expect((await client.getJobReceipt({ params: { id: fax.id } })).size).toBeGreaterThan(1000)
  })

  it('is quoted with the pages, by itself and in a preview', async () => {
    const { client } = await startGateway({ env, now: atOneMoment })
    const bare = await client.quoteFax({ form: { file: letter() } })
    const quote = await client.quoteFax({ form: { file: letter(), ...said } })
    expect(quote.pages).toBe(3)
    expect(quote.bytes_per_page.slice(1)).toEqual(bare.bytes_per_page)
    expect(quote.seconds).toBeGreaterThan(bare.seconds)

    const { id } = await client.createPreview({ form: { file: letter() } })
    const covered = await client.coverPreview({ params: { id }, body: said })
    expect(covered).toMatchObject({ kind: 'text', pages: 3 })
    expect(await client.quotePreview({ params: { id: covered.id }, query: {} })).toEqual(quote)
    expect(await client.quotePreview({ params: { id }, query: {} })).toEqual(bare)
  })

  it('is quoted as it will be faxed, with the number it goes to', async () => {
    const { client } = await startGateway({ env, now: atOneMoment })
    const quote = await client.quoteFax({ form: { to: '(555) 555-0123', file: letter(), ...said } })
    const { id } = await client.createPreview({ form: { file: letter() } })
    const covered = await client.coverPreview({ params: { id }, body: { ...said, to } })
    expect(await client.quotePreview({ params: { id: covered.id }, query: {} })).toEqual(quote)
    expect(await client.quoteRequest({ form: { to, file: letter(), ...said } })).toMatchObject(quote)
    const unnumbered = await client.quoteFax({ form: { file: letter(), ...said } })
    expect(quote.bytes_per_page[0]).toBeGreaterThan(unnumbered.bytes_per_page[0] ?? Infinity)
    const wrong = client.quoteFax({ form: { to: '12', file: letter() } })
    await expect(wrong).rejects.toMatchObject({ status: 400, answer: { code: 'bad_number' } })
  })

  it('prints numbers in the groups that people read', () => {
    const cover = datedCover({ ...kept, fromNumber: '(555) 555-0100' }, to, new Date())
    expect(cover).toMatchObject({ toNumber: '+1 555 555 0123', fromNumber: '(555) 555-0100' })
  })

  it('is seen before it is sent, with the number as it will be dialed', async () => {
    const { client } = await startGateway({ env, now: atOneMoment })
    const { id } = await client.createPreview({ form: { file: letter() } })
    const page = async (preview: string, n: number) =>
      bytesOf(await client.getPreviewPage({ params: { id: preview, page: n }, query: {} }))
    const cover = async (body: object) => (await client.coverPreview({ params: { id }, body })).id
    const typing = await cover({ ...said, to: '555' })
    const typed = await cover({ ...said, to: '(555) 555-0123' })
    expect(await page(typed, 2)).toBe(await page(id, 1))
    expect(await page(typed, 1)).not.toBe(await page(typing, 1))
    expect(await page(typed, 1)).toBe(await page(await cover({ ...said, to }), 1))
    // A cover of a cover takes its place; no cover is the document again.
    const other = await client.coverPreview({ params: { id: typed }, body: { cover: 'plain' } })
    expect(other.pages).toBe(3)
    expect(await client.coverPreview({ params: { id: typed }, body: { cover: 'none' } })).toMatchObject({
      id,
      pages: 2,
    })
    const gone = client.coverPreview({ params: { id: 'f'.repeat(32) }, body: said })
    await expect(gone).rejects.toMatchObject({ status: 404 })
  })

  it('stands before every fax when the settings say so, but not where a fax asks for none', async () => {
    const { client } = await startGateway({ env: { ...env, FAX_COVER: 'plain', FAX_HEADER: 'Example Clinic' } })
    expect((await client.getConfig({})).default_cover).toBe('plain')
    expect((await client.submitFax({ form: { to, file: letter() } })).pages).toBe(3)
    expect((await client.submitFax({ form: { to, file: letter(), cover: 'none' } })).pages).toBe(2)
  })

  it.each([
    ['a template that does not exist', { cover: 'sepia' as 'plain' }, 'invalid', /cover/],
    [
      'a note that is too long to read',
      { ...said, cover_note: 'a'.repeat(2001) },
      'invalid',
      /at most 2000 characters/,
    ],
    [
      'a note that is too long for the page',
      { ...said, cover_note: 'a\n'.repeat(60) + 'b' },
      'bad_cover',
      /The note is too long/,
    ],
    ['characters that cannot be printed', { ...said, cover_to: '\u{10fffd}' }, 'bad_cover', /\(U\+10FFFD\)/],
    ['words without a page for them', { cover_note: 'Please call' }, 'bad_cover', /cover_note was given/],
    [
      'words beside no cover',
      { cover: 'none', cover_subject: 'Results' } as const,
      'bad_cover',
      /leave cover_subject out/,
    ],
  ])('is refused with a sentence, everywhere: %s', async (_name, fields, code, sentence) => {
    const { client } = await startGateway()
    const refusal = { status: 422, answer: { code, detail: expect.stringMatching(sentence) as unknown } }
    await expect(client.submitFax({ form: { to, file: letter(), ...fields } })).rejects.toMatchObject(refusal)
    await expect(client.quoteFax({ form: { file: letter(), ...fields } })).rejects.toMatchObject(refusal)
    const { id } = await client.createPreview({ form: { file: letter() } })
    await expect(client.coverPreview({ params: { id }, body: fields })).rejects.toMatchObject(refusal)
    expect((await client.listJobs({ query: {} })).total).toBe(0)
  })

  it('belongs to what an Idempotency-Key stands for', async () => {
    const { client } = await startGateway({ env: { FAX_DISABLED: 'true' } })
    const submit = (fields: object) =>
      client.submitFax({ form: { to, file: letter(), ...fields } }, { headers: { 'idempotency-key': 'one' } })
    const first = await submit(said)
    expect(await submit(said)).toEqual(first)
    await expect(submit({ ...said, cover_note: 'Another note.' })).rejects.toMatchObject({ status: 409 })
    await expect(submit({})).rejects.toMatchObject({ status: 409 })
  })
})

onSqliteFirst((open) => {
  describe('a job with a cover page', () => {
    it('hands the provider a PDF that begins with it', async () => {
      const made = makeLine({ requiresPages: false })
      const sent: number[] = []
      const { submit, work, context } = await faxDesk(await open(), made)
      made.answers.push(async (fax) => {
        const { pages } = await context.documents.inspect(await fax.pdf())
        sent.push(fax.pages, pages)
        return undefined
      })
      await submit({ cover: JSON.stringify(kept), pages: 2 })
      await work()
      expect(sent).toEqual([2, 2])
    })

    it('says the day of the fax, the same at each look', async () => {
      const { submit, context, pass } = await faxDesk(await open(), makeLine())
      const job = await submit({ cover: JSON.stringify(kept) })
      const first = await context.documents.page(await readPdf(context, job), 1, {
        resolution: 'fine',
        paper: 'letter',
      })
      pass(3 * 24 * 3_600_000)
      const second = await context.documents.page(await readPdf(context, job), 1, {
        resolution: 'fine',
        paper: 'letter',
      })
      expect(Buffer.compare(first?.png ?? Buffer.alloc(0), second?.png ?? Buffer.alloc(0))).toBe(0)
    })

    it('forgets what was written on it together with the document', async () => {
      const { submit, context, jobOf, pass } = await faxDesk(await open(), makeLine())
      const finished_at = new Date(context.now()).toISOString()
      const { id } = await submit({ cover: JSON.stringify(kept), phase: 'delivered', status: 'SUCCESS', finished_at })
      pass(2 * 24 * 3_600_000)
      await expireFaxes(context)
      expect(await jobOf(id)).toMatchObject({ document_key: null, cover: null })
    })
  })
})
