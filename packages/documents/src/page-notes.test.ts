import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createBitmap } from './raster/bitmap.ts'
import { createDocuments } from './documents.ts'
import { addHeader } from './cover/header-line.ts'
import { notesOfCheck } from './raster/page-notes.ts'
import { previewPage } from './preview.ts'
import { testFolder } from './testing/judges.ts'
import { pdfOf, streamOf, textAt } from './testing/pdf-samples.ts'
import { fineLetter } from './testing/samples.ts'

vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const notesOf = async (pdf: Buffer) => (await documents.toTiff(pdf, join(testFolder(), 'pages.tif'), fineLetter)).notes

describe('notes on pages', () => {
  it('say nothing of good pages and of pages that are blank in the document', async () => {
    const white = '1 g 0 0 612 792 re f'
    const scanned = streamOf(
      'x'.repeat(300),
      '/Type/XObject/Subtype/Image/Width 1728/Height 2200/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode',
    )
    const layer = `BT 3 Tr /F1 12 Tf 72 700 Td (A text layer of nothing) Tj ET q 612 0 0 792 0 0 cm /X Do Q`
    const pages = ['', white, `${white} 0 g ${textAt(72, 700, 12, '   ')}`, layer, textAt(72, 700, 12, 'Dear Dr. Doe')]
    expect(
      await notesOf(
        pdfOf(
          pages.map((content) => ({ content })),
          [scanned],
        ),
      ),
    ).toEqual([])
  })

  it.each([
    ['a picture that is not drawn', 'q 612 0 0 792 0 0 cm /X Do Q'],
    ['type too pale to be seen', `0.95 0.85 1 rg 1 1 0.6 rg ${textAt(72, 700, 12, 'Take two tablets')}`],
  ])('name a page that comes out blank: %s', async (_, content) => {
    const picture = streamOf(
      'x'.repeat(3000),
      '/Type/XObject/Subtype/Image/Width 399/Height 400/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode',
    )
    const text = 'Page 2 came out blank, although the document has content there.'
    const pdf = pdfOf([{ content: textAt(72, 700, 12, 'Page one') }, { content }], [picture])
    expect(await notesOf(pdf)).toEqual([{ page: 2, kind: 'blank_page', text }])
    expect((await documents.page(pdf, 2, fineLetter))?.notes).toMatchObject([{ kind: 'blank_page' }])
  })

  it('name the files attached to a PDF that may be meant to be faxed', async () => {
    const file = (name: string) => `(${name})<</Type/Filespec/F(${name})/UF(${name})/EF<</F 5 0 R>>>>`
    const names = `/Names<</EmbeddedFiles<</Names[${file('a.xml')}${file('report.pdf')}]>>>>`
    const pages = [{ content: textAt(72, 700, 12, 'Open this portfolio') }]
    const pdf = pdfOf(pages, [streamOf('data', '/Type/EmbeddedFile')], '', names)
    expect((await documents.inspect(pdf)).notes).toEqual([
      { page: 1, kind: 'left_out', text: expect.stringMatching(/not faxed: report\.pdf\./) },
    ])
  })

  it('name a small picture that is not drawn beside much that is', async () => {
    const picture = (bytes: number) =>
      streamOf(
        'x'.repeat(bytes),
        '/Type/XObject/Subtype/Image/Width 800/Height 800/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/JPXDecode',
      )
    const content = `q 60 0 0 60 500 100 cm /X Do Q ${textAt(72, 700, 12, 'Dear Dr. Doe')}`
    const note = {
      page: 1,
      kind: 'lost_writing',
      text: 'Some writing on page 1 cannot be read on the fax, near the bottom right.',
    }
    expect(await notesOf(pdfOf([{ content }], [picture(5000)]))).toMatchObject([note])
    expect(await notesOf(pdfOf([{ content }], [picture(300)]))).toEqual([])
    const covered = `${content} 0.5 g 500 100 60 60 re f`
    expect(await notesOf(pdfOf([{ content: covered }], [picture(5000)]))).toEqual([])
  })

  it('say where writing is lost, also under a header line', () => {
    const page = { ...createBitmap(1728, 2156), lost: [{ left: 1440, top: 2000, width: 160, height: 64 }] }
    page.words.fill(1)
    expect(notesOfCheck(page, 3)).toMatchObject([
      { kind: 'lost_writing', text: 'Some writing on page 3 cannot be read on the fax, near the bottom right.' },
    ])
    expect(addHeader(page, createBitmap(1728, 40)).lost).toMatchObject([{ top: 2040 }])
    const many = Array.from({ length: 30 }, (_, at) => ({ left: 32 * at, top: 16 * at, width: 32, height: 16 }))
    expect(notesOfCheck({ ...page, lost: many }, 1)[0]?.places).toHaveLength(1)
  })
})

describe('the preview', () => {
  it('marks the places in red', async () => {
    const page = { ...createBitmap(1728, 2156), lost: [{ left: 400, top: 1000, width: 320, height: 64 }] }
    for (const width of [480, 1728]) {
      const shown = previewPage(page, 'fine', width)
      const pixels = await sharp(shown.png).toColorspace('srgb').raw().toBuffer({ resolveWithObject: true })
      const { channels } = pixels.info
      const at = (x: number, y: number) => {
        const start = (Math.round((y * shown.height) / 2156) * shown.width + Math.round((x * width) / 1728)) * channels
        return [...pixels.data.subarray(start, start + 3)]
      }
      const above = Array.from({ length: 30 }, (_, step) => at(560, 975 + step))
      expect(above).toContainEqual([209, 26, 42])
      expect(at(560, 1032)).toEqual([255, 255, 255])
    }
  })
})
