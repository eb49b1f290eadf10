import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from '../documents.ts'
import { pageFit, pictureFit } from './paper.ts'
import { planSheets } from './sheets.ts'
import { testFolder } from '../testing/judges.ts'
import { pdfOf, textAt } from '../testing/pdf-samples.ts'
import { fineLetter, readPages } from '../testing/samples.ts'
import sharp from 'sharp'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const rowsOf = (width: number, height: number, long: 'split' | 'whole' = 'split', fit = pageFit) =>
  planSheets([{ width, height }], 'letter', fit, long).map((sheet) => sheet.place('fine').rows)

describe('the sheets of a page', () => {
  it.each([
    ['letter', 612, 792, [2156]],
    ['A4, a little longer than letter', 595, 842, [2156]],
    ['letter across', 792, 612, [2156]],
    ['US legal', 612, 1008, [2744]],
    ['legal across', 1008, 612, [2744]],
    ['13 inches', 612, 936, [2548]],
    ['20 inches', 612, 1440, [2156, 2156]],
  ])('of %s', (_name, width, height, rows) => {
    for (const [index, found] of rowsOf(width, height).entries())
      expect(Math.abs(found - rows[index]!)).toBeLessThan(12)
    expect(rowsOf(width, height)).toHaveLength(rows.length)
  })

  it('show every row of a long page, those around a cut on both sheets, at both resolutions', () => {
    for (const resolution of ['fine', 'standard'] as const) {
      const sheets = planSheets([{ width: 612, height: 9000 }], 'letter', pageFit, 'split').map((sheet) =>
        sheet.place(resolution),
      )
      expect(sheets).toHaveLength(12)
      sheets.slice(1).forEach(({ place }, index) => {
        const before = sheets[index]!
        const inch = resolution === 'fine' ? 196 : 98
        expect(before.rows - before.place.top - -place.top).toBe(inch / 2)
      })
      const last = sheets.at(-1)!
      expect(last.rows - last.place.top).toBeGreaterThanOrEqual(last.place.height)
      expect(sheets.every(({ rows, place }) => [rows, place.top, place.height].every(Number.isInteger))).toBe(true)
    }
  })

  it('is one when long pages are to stay whole', () => {
    expect(rowsOf(612, 9000, 'whole')).toHaveLength(1)
    expect(rowsOf(612, 9000, 'whole')[0]).toBeGreaterThan(24_000)
  })

  it('of a picture is one, but for a picture of a long page', () => {
    expect(rowsOf(3024, 1701, 'split', pictureFit)).toHaveLength(1)
    expect(rowsOf(878, 1899, 'split', pictureFit)).toHaveLength(1)
    expect(rowsOf(960, 3750, 'split', pictureFit).length).toBeGreaterThan(2)
  })
})

describe('long and wide pages', () => {
  const marks = (height: number) => [height - 40, height / 2, 20].map((y) => textAt(72, y, 14, 'MARK')).join('\n')

  it('are faxed at their size, each on paper of its own, with nothing lost at the cuts', async () => {
    const pdf = pdfOf([
      { content: marks(792) },
      { height: 1008, content: marks(1008) },
      { height: 3000, content: marks(3000) },
    ])
    const path = join(testFolder(), 'long.tif')
    for (const resolution of ['fine', 'standard'] as const) {
      const { pages, sizes } = await documents.toTiff(pdf, path, { resolution, paper: 'letter' })
      expect(pages).toBe(6)
      const full = resolution === 'fine' ? 2156 : 1078
      expect(sizes.map(({ height }) => Math.round((11 * height) / full))).toEqual([11, 14, 11, 11, 11, 11])
      expect(readPages(path).map(({ words }) => words.some((word) => word !== 0))).toEqual([
        true,
        true,
        true,
        true,
        false,
        true,
      ])
    }
    const found = await documents.inspect(pdf)
    expect(found).toMatchObject({
      pages: 6,
      notes: [{ page: 3, kind: 'split', text: expect.stringContaining('as 4 pages') }],
    })
  })

  it('are told when they are shrunk below what can be read', async () => {
    const { notes } = await documents.inspect(pdfOf([{}, { width: 2384, height: 3370 }]))
    expect(notes).toEqual([{ page: 2, kind: 'shrunk', text: expect.stringContaining('25 %') }])
  })

  it('of pictures are split in both ways to fax them', async () => {
    const image = await sharp({ create: { width: 1280, height: 5000, channels: 3, background: '#000' } })
      .png()
      .toBuffer()
    const { pages } = await documents.inspect(image)
    expect(pages).toBe(3)
    const last = await documents.page(image, 3, { ...fineLetter, width: 200 })
    const { channels } = await sharp(last?.png).stats()
    expect([channels[0]?.min, channels[0]?.max]).toEqual([0, 255])
  })
})
