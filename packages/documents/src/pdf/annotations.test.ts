import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../base/limits.ts'
import { faxWidth } from '../raster/paper.ts'
import { PdfDocument } from './document.ts'
import { startPdfium } from './engine.ts'
import { letterPdf, pdfOf, streamOf } from '../testing/pdf-samples.ts'

const width = 400
const height = 200

/** Gray pixels below the middle, by twice the points of a page of 200 × 100. */
async function draw(file: Uint8Array, turned = false): Promise<boolean[]> {
  const document = new PdfDocument(await startPdfium(), file, defaultLimits)
  const place = turned
    ? { left: 10, top: 20, width: height, height: width, turned }
    : { left: 10, top: 20, width, height, turned }
  const rows = 20 + Math.max(width, height)
  const dark = document.render(0, place, rows, ({ pixels }) =>
    Array.from({ length: rows * faxWidth }, (_, at) => pixels[at]! < 128),
  )
  document.close()
  return dark
}

const inked = (dark: readonly boolean[]) => dark.filter(Boolean).length
/** Whether there is ink between two points of the page, from its upper left corner. */
const between = (dark: readonly boolean[], [left, top]: [number, number], [right, bottom]: [number, number]) =>
  dark.some((isDark, at) => {
    const [x, y] = [((at % faxWidth) - 10) / 2, (Math.floor(at / faxWidth) - 20) / 2]
    return isDark && x >= left && x < right && y >= top && y < bottom
  })

const appearance = streamOf('q 0 g 0 0 40 20 re f Q', '/Type/XObject/Subtype/Form/BBox[0 0 40 20]/Resources<<>>')
const nothing = streamOf('', '/Type/XObject/Subtype/Form/BBox[0 0 40 20]/Resources<<>>')
const rect = '/Rect[20 60 60 80]'

/** A page with one annotation; `form` says what stands in the catalog. */
function pageWith(annotation: string, form = '', entries = ''): Buffer {
  const page = { width: 200, height: 100, entries: `/Annots[<</Type/Annot${annotation}>>]${entries}` }
  const file = pdfOf([page], [appearance, nothing]).toString('latin1')
  // As long as it was, so that everything stays in its place.
  return Buffer.from(file.replace('/AcroForm 4 0 R', form.padEnd(15)), 'latin1')
}

const black = '/C[0 0 0]/Border[0 0 1.5]'

describe('annotations without an appearance', () => {
  it.each([
    ['a line', `/Subtype/Line/Rect[20 20 180 80]/L[30 30 170 70]${black}`],
    ['a polyline', `/Subtype/PolyLine/Rect[20 20 180 80]/Vertices[30 30 80 70 120 30 170 70]${black}`],
    ['a polygon', `/Subtype/Polygon/Rect[20 20 180 80]/Vertices[30 30 80 70 120 30]${black}`],
    ['free text', '/Subtype/FreeText/Rect[20 20 180 80]/Contents(A note)/DA(/Helv 12 Tf 0 g)'],
    ['a square', `/Subtype/Square/Rect[20 20 180 80]${black}`],
    ['a circle', `/Subtype/Circle/Rect[20 20 180 80]${black}`],
    ['ink', `/Subtype/Ink/Rect[20 20 180 80]/InkList[[30 30 80 70 120 30 170 70]]${black}`],
    ['an underline', `/Subtype/Underline/Rect[20 20 180 80]/QuadPoints[20 80 180 80 20 20 180 20]${black}`],
    ['text struck out', `/Subtype/StrikeOut/Rect[20 20 180 80]/QuadPoints[20 80 180 80 20 20 180 20]${black}`],
  ])('are drawn: %s', async (_name, annotation) => {
    expect(inked(await draw(pageWith(`${annotation}/F 4`)))).toBeGreaterThan(100)
  })

  it('are left out when they are hidden or not for print', async () => {
    const line = `/Subtype/Line/Rect[20 20 180 80]/L[30 30 170 70]${black}`
    expect(inked(await draw(pageWith(`${line}/F 6`)))).toBe(0)
    expect(inked(await draw(pageWith(line)))).toBe(0)
  })
})

describe('what is shown but not printed', () => {
  const line = `/Subtype/Line/Rect[20 20 180 80]/L[30 30 170 70]${black}`
  const filled = `/Subtype/Widget/FT/Tx/T(a)/V(x)${rect}/AP<</N 5 0 R>>`

  /** What is said of a page, and whether anything is on it. */
  async function saidOf(file: Uint8Array) {
    const document = new PdfDocument(await startPdfium(), file, defaultLimits)
    const place = { left: 10, top: 20, width, height, turned: false }
    const isInked = document.render(0, place, 300, ({ pixels }) => pixels.some((tone) => tone < 128))
    const said = document.notesOn(0).map(({ kind }) => kind)
    document.close()
    return { isInked, said }
  }

  it.each([
    ['a mark', pageWith(line)],
    ['a filled field', pageWith(filled)],
  ])('is said: %s', async (_name, file) => {
    expect(await saidOf(file)).toEqual({ isInked: false, said: ['left_out'] })
  })

  it.each([
    ['what is printed', pageWith(`${line}/F 4`)],
    ['what nobody sees', pageWith(`${line}/F 2`)],
    ['what loses no word', pageWith('/Subtype/Link/Rect[20 20 180 80]')],
    ['an empty field', pageWith(filled.replace('/V(x)', ''))],
  ])('is not said of %s', async (_name, file) => {
    expect((await saidOf(file)).said).toEqual([])
  })

  it('is never a field that is drawn', async () => {
    const { isInked, said } = await saidOf(pageWith(filled, '/AcroForm 4 0 R'))
    expect(said.length > 0).toBe(!isInked)
  })
})

describe('the fields of a page that was taken out of a form', () => {
  const text = `/Subtype/Widget/FT/Tx/T(a)/V(x)${rect}/AP<</N 5 0 R>>`
  const box = `/Subtype/Widget/FT/Btn/T(b)/V/On/AS/On${rect}/AP<</N<</On 5 0 R/Off 6 0 R>>>>`

  it.each([
    ['text', text],
    ['a box that is ticked', box],
  ])('are drawn where they stand: %s', async (_name, field) => {
    const dark = await draw(pageWith(`${field}/F 4`))
    expect(between(dark, [20, 20], [60, 40])).toBe(true)
    expect(inked(dark)).toBe(80 * 40)
  })

  it('are drawn where they stand on a page that is turned, by itself or to fit the paper', async () => {
    const turnedPage = await draw(pageWith(`${text}/F 4`, '', '/Rotate 90'))
    // The page is 100 × 200 then: its left becomes its top.
    expect(between(turnedPage, [120, 10], [160, 30])).toBe(true)
    const turnedPaper = await draw(pageWith(`${text}/F 4`), true)
    expect(between(turnedPaper, [60, 20], [80, 60])).toBe(true)
    expect(inked(turnedPaper)).toBe(80 * 40)
  })

  it('are left out when they are hidden, not for print or not ticked', async () => {
    expect(inked(await draw(pageWith(`${text}/F 6`)))).toBe(0)
    expect(inked(await draw(pageWith(text)))).toBe(0)
    expect(inked(await draw(pageWith(`${box.replace('/AS/On', '/AS/Off')}/F 4`)))).toBe(0)
  })

  it('are drawn once where the document still has a form that does not name them', async () => {
    expect(inked(await draw(pageWith(`${text}/F 4`, '/AcroForm 4 0 R')))).toBe(80 * 40)
  })
})

describe('bytes behind the end of a PDF', () => {
  it.each([10, 4_000, 5_000, 100_000])('are left away: %i', async (count) => {
    const file = letterPdf()
    const expected = inked(await draw(file))
    for (const junk of [Buffer.alloc(count), Buffer.alloc(count, '<html> '), Buffer.alloc(count, 0xff)]) {
      expect(inked(await draw(Buffer.concat([file, junk])))).toBe(expected)
    }
  })

  it('are no excuse for a file that is cut off behind an earlier end', () => {
    const update = '7 0 obj\n<</Type/Page'
    const cut = Buffer.concat([letterPdf(), Buffer.from(update), Buffer.alloc(5_000)])
    return expect(draw(cut)).rejects.toMatchObject({ code: 'broken' })
  })
})
