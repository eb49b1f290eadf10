import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { sameBitmap } from '../raster/bitmap.ts'
import type { Cover } from './cover-templates.ts'
import { createDocuments, type Documents } from '../documents.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { makeCffFont } from '../testing/made-cff-font.ts'
import { makeFont } from '../testing/made-font.ts'
import { encryptedPdf, letterPdf, pdfOf, streamOf } from '../testing/pdf-samples.ts'
import { blackShare, fineLetter, readPages } from '../testing/samples.ts'

vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const cover: Cover = {
  template: 'plain',
  to: 'Dr. Jane Doe, Cardiology',
  toNumber: '+15555550123',
  from: 'Example Clinic',
  fromNumber: '+15555550100',
  subject: 'Results of 20 November',
  note: 'Please call back.',
  date: '21 Nov 2026',
}
const templates = ['plain', 'formal', 'confidential'] as const
const letter = Buffer.from('First page\fSecond page')
const lines = (count: number) => Array.from({ length: count }, (_, line) => `Line ${line + 1}`).join('\n')

/** Documents with these fonts beside the bundled ones, and no others. */
function withFonts(...fonts: Buffer[]): Documents {
  const folder = testFolder()
  fonts.forEach((font, index) => writeFileSync(join(folder, `${index}.otf`), font))
  const own = createDocuments({ threads: 1, fonts: folder })
  onTestFinished(() => own.close())
  return own
}

async function pagesOf(source: Buffer, options: Partial<Parameters<typeof documents.toTiff>[2]>, by = documents) {
  const path = join(testFolder(), 'fax.tif')
  await by.toTiff(source, path, { ...fineLetter, ...options })
  return readPages(path)
}

/** What poppler reads on each page of the PDF. */
async function readBack(source: Uint8Array, change: Partial<Cover> = {}): Promise<string[]> {
  const path = join(testFolder(), 'fax.pdf')
  writeFileSync(path, await documents.toPdf(source, { paper: 'letter', cover: { ...cover, ...change } }))
  const pages = runJudge('pdftotext', '-layout', path, '-').split('\f').slice(0, -1)
  return pages.map((page) => page.replaceAll(/\s+/g, ' ').trim())
}

describe('a cover page', () => {
  it.each(templates)('stands before the pages, which stay as they are: %s', async (template) => {
    const plain = await pagesOf(letter, {})
    const [front, ...rest] = await pagesOf(letter, { cover: { ...cover, template } })
    expect(rest).toHaveLength(2)
    expect(rest.every((page, index) => sameBitmap(page, plain[index]!))).toBe(true)
    expect(blackShare(front!)).toBeGreaterThan(0.005)
  })

  it.each(templates)('takes few bits, at most eight seconds of the line at 14,400 bit/s: %s', async (template) => {
    for (const paper of ['letter', 'a4'] as const) {
      const options = { resolution: 'fine', paper, cover: { ...cover, template } } as const
      const { sizes } = await documents.toTiff(letter, join(testFolder(), 'fax.tif'), options)
      expect(sizes[0]?.bytes).toBeLessThan((14_400 / 8) * 8)
    }
  })

  it('says all that was given, and counts itself', async (context) => {
    requireJudge(context, 'pdftotext')
    const { template: _name, ...given } = cover
    for (const template of templates) {
      const [first] = await readBack(letter, { template })
      for (const said of Object.values(given)) expect(first).toContain(said)
      expect(first).toContain('3, this one included')
    }
  })

  it('carries the notice that its template promises', async (context) => {
    requireJudge(context, 'pdftotext')
    expect((await readBack(letter, { template: 'confidential' }))[0]).toContain('HIPAA')
    expect((await readBack(letter, { template: 'formal' }))[0]).toContain('If it reached you by mistake')
    expect((await readBack(letter, { template: 'plain' }))[0]).not.toContain('mistake')
  })

  it('leaves out what was not given', async (context) => {
    requireJudge(context, 'pdftotext')
    const nothing = { to: null, toNumber: null, from: null, fromNumber: null, subject: null, note: null }
    for (const template of templates) {
      const [first] = await readBack(letter, { ...nothing, template })
      expect(first).toMatch(/Date 21 Nov 2026|Date Pages 21 Nov 2026/)
      expect(first).not.toMatch(/\b(To|From|Subject|null)\b/)
    }
  })

  it('wraps long values and loses no word of them', async (context) => {
    requireJudge(context, 'pdftotext')
    const words = Array.from({ length: 24 }, (_, n) => `word${n}`)
    for (const template of templates) {
      const [first] = await readBack(letter, { template, subject: words.join(' '), to: words.join('-') })
      for (const word of words) expect(first?.split(word).length).toBeGreaterThan(1)
    }
  })

  it('is one page on every paper: a note that needs more is refused', async () => {
    const fits = { ...cover, template: 'confidential', note: lines(10) } as const
    expect(await documents.measureCover(fits)).toEqual({ pages: 1 })
    const refused = documents.measureCover({ ...fits, note: lines(60) })
    await expect(refused).rejects.toMatchObject({ code: 'bad_cover', sentence: expect.stringContaining('The note') })
  })

  it('is refused with the names of the characters that no font has', async () => {
    const refused = withFonts().measureCover({ ...cover, to: '山田 \t\n', note: '\u{1fae8}' })
    const sentence = expect.stringMatching(/山 \(U\+5C71\), 田 \(U\+7530\), .+ \(U\+1FAE8\)\./)
    await expect(refused).rejects.toMatchObject({ code: 'bad_cover', sentence })
  })

  it('is set with fonts of the system where the bundled ones lack a character', async (context) => {
    requireJudge(context, 'pdftotext')
    const own = withFonts(
      makeCffFont({ character: '山', kind: 'cid' }),
      makeFont({ character: '田', format: 4, longOffsets: false }),
    )
    const named = { ...cover, to: 'Dr. 山田\u3000A' }
    expect(await own.measureCover(named)).toEqual({ pages: 1 })
    const path = join(testFolder(), 'fax.pdf')
    for (const template of templates) {
      writeFileSync(path, await own.toPdf(letterPdf(), { paper: 'a4', cover: { ...named, template } }))
      expect(runJudge('pdftotext', '-layout', path, '-')).toMatch(/Dr\. ?山 ?田 +A/)
    }
    const [page] = await pagesOf(letter, { cover: named }, own)
    const [bare] = await pagesOf(letter, { cover: { ...named, to: 'Dr.' } }, own)
    expect(blackShare(page!)).toBeGreaterThan(blackShare(bare!) + 0.0003)
  })

  it('sets right-to-left paragraphs at the right', async () => {
    const [page] = await pagesOf(letter, { cover: { ...cover, note: 'שלום לכם' } })
    expect(blackShare(page!, 0.7, 0.36, 1, 0.42)).toBeGreaterThan(0.002)
    expect(blackShare(page!, 0, 0.36, 0.3, 0.42)).toBe(0)
  })

  it('is page 1 of the header line, and of previews', async () => {
    const header = { when: '21 Nov 2026, 16:05', sender: 'Example Clinic', station: null }
    const [page] = await pagesOf(letter, { cover, header })
    expect(blackShare(page!, 0, 0, 1, 40 / 2156)).toBeGreaterThan(0.01)
    expect(await documents.page(letter, 3, { ...fineLetter, cover })).toMatchObject({ width: 1728 })
    expect(await documents.page(letter, 4, { ...fineLetter, cover })).toBeUndefined()
  })
})

describe('a PDF with a cover page', () => {
  it.each([
    ['of a PDF', letterPdf(2)],
    ['of a text', Buffer.from('letter of one page\fand of two')],
  ])('has the cover first and all pages after it: %s', async (_name, source) => {
    const pdf = await documents.toPdf(source, { paper: 'a4', cover })
    expect(await documents.inspect(pdf)).toMatchObject({ kind: 'pdf', pages: 3 })
  })

  it('is sound for another reader, with the words of both', async (context) => {
    requireJudge(context, 'pdftotext')
    const pages = await readBack(letter)
    expect(pages).toEqual([expect.stringContaining('Please call back.'), 'First page', 'Second page'])
  })

  it('keeps annotations and the fields of a form', async () => {
    const look = streamOf('0 0 100 100 re f', '/Type/XObject/Subtype/Form/BBox[0 0 100 100]')
    const entries =
      '/Annots[<</Type/Annot/Subtype/Stamp/F 4/Rect[306 396 612 792]/AP<</N 5 0 R>>>>' +
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/F 4/Rect[0 0 306 396]/AP<</N 5 0 R>>>>]'
    const source = pdfOf([{ entries }], [look])
    const [plain] = await pagesOf(source, {})
    const joined = Buffer.from(await documents.toPdf(source, { paper: 'letter', cover }))
    const [, behind] = await pagesOf(joined, {})
    expect(blackShare(plain!)).toBeGreaterThan(0.4)
    expect(sameBitmap(plain!, behind!)).toBe(true)
  })

  it('is readable by everybody when the document may only be read', async (context) => {
    requireJudge(context, 'gs')
    const [open, closed] = [join(testFolder(), 'open.pdf'), join(testFolder(), 'closed.pdf')]
    writeFileSync(open, letterPdf())
    const locks = ['-sOwnerPassword=owner', '-dEncryptionR=3', '-dKeyLength=128', '-dPermissions=-3904']
    runJudge('gs', '-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pdfwrite', ...locks, `-sOutputFile=${closed}`, open)
    const source = readFileSync(closed)
    expect(source.includes('/Encrypt')).toBe(true)
    const joined = Buffer.from(await documents.toPdf(source, { paper: 'letter', cover }))
    expect(joined.includes('/Encrypt')).toBe(false)
    const [[plain], [, behind]] = [await pagesOf(source, {}), await pagesOf(joined, {})]
    expect(sameBitmap(plain!, behind!)).toBe(true)
  })

  it('refuses what cannot be opened, and serves the next one', async () => {
    await expect(documents.toPdf(encryptedPdf(), { paper: 'letter', cover })).rejects.toMatchObject({
      code: 'encrypted',
    })
    expect(await documents.inspect(await documents.toPdf(letterPdf(), { paper: 'letter', cover }))).toMatchObject({
      pages: 2,
    })
  })
})
