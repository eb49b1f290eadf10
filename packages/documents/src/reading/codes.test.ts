import { describe, expect, it } from 'vitest'
import { type Bitmap, createBitmap, fillRun } from '../raster/bitmap.ts'
import { qrCode } from '../separators/qr-code.ts'
import { letterPdf, pdfOf, streamOf, textAt } from '../testing/pdf-samples.ts'
import { faxPageOf } from '../testing/turned-pages.ts'
import { defaultLimits } from '../base/limits.ts'
import { openPdf } from '../pdf/pages.ts'
import { codesOn } from './codes.ts'
import { findDenseRows } from './dense-parts.ts'
import { readPages } from './read-pages.ts'

const read = { from: 0, languages: [], findsCodes: true }

/** *A1* in Code 39 (ISO/IEC 16388): narrow and wide bars and gaps, bar first. */
const code39 = ['010010100', '100001001', '100100001', '010010100'].join('0')
const bars = Array.from(code39).reduce<{ at: number; shown: [number, number][] }>(
  ({ at, shown }, wide, index) => {
    const width = wide === '1' ? 3 : 1
    return { at: at + width, shown: index % 2 === 0 ? [...shown, [at, width]] : shown }
  },
  { at: 0, shown: [] },
).shown

const paintBars = (unit: number, end: string) =>
  bars.map(([at, width]) => `${100 + at * unit} 500 ${width * unit} 40 re ${end}`).join('\n')

const strokes = (unit: number) =>
  bars
    .map(([at, width]) => {
      const x = 100 + (at + width / 2) * unit
      return `${width * unit} w ${x} 500 m ${x} 540 l S`
    })
    .join('\n')

/** Each character of *A1* as a glyph of bars, in a font that is made of drawings. */
function fontOfBars(): { fonts: string; objects: string[] } {
  const glyph = (widths: string) => {
    let at = 0
    const parts = Array.from(widths).map((wide, index) => {
      const width = wide === '1' ? 3 : 1
      at += width
      return index % 2 === 0 ? `${at - width} 0 ${width} 30 re f` : ''
    })
    return streamOf(`16 0 0 0 16 30 d1 ${parts.join(' ')}`)
  }
  const font =
    '<</Type/Font/Subtype/Type3/FontBBox[0 0 16 30]/FontMatrix[0.05 0 0 0.05 0 0]/FirstChar 42/LastChar 65' +
    `/Widths[${Array.from({ length: 24 }, () => 16).join(' ')}]/CharProcs<</star 7 0 R/A 8 0 R/one 9 0 R>>` +
    '/Encoding<</Type/Encoding/Differences[42/star 49/one 65/A]>>/Resources<<>>>>'
  const objects = ['null', font, glyph('010010100'), glyph('100001001'), glyph('100100001')]
  return { fonts: '/B 6 0 R', objects }
}

async function codesOf(pdf: Uint8Array) {
  const pages = await openPdf(pdf, 'letter', defaultLimits, 'split')
  const turn = await readPages(pages, read)
  pages.close?.()
  return turn.codes
}

describe('a code on the first page of a PDF is found', () => {
  const writing = textAt(72, 700, 11, 'Please find the label of this delivery below.')

  it.each([
    ['of a path for each bar', paintBars(1.5, 'f')],
    ['of one path', `${paintBars(1.5, '')} f`],
    ['of strokes', strokes(1.5)],
  ])('where it is drawn %s', async (_how, drawn) => {
    expect(await codesOf(pdfOf([{ content: `${writing}\n${drawn}` }]))).toEqual([{ format: 'Code39', text: 'A1' }])
  })

  it('where it is a picture', async () => {
    const { width, height, entries, data } = await qrCode('PAT-4711')
    const hex = `${Buffer.from(data).toString('hex')}>`
    const filter = entries.includes('/Filter')
      ? entries.replace(/\/Filter\s*(\/\w+)/, '/Filter[/ASCIIHexDecode$1]')
      : `${entries}/Filter/ASCIIHexDecode`
    const picture = streamOf(hex, `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}${filter}`)
    const content = `${writing} q 90 0 0 90 100 400 cm /X Do Q`
    expect(await codesOf(pdfOf([{ content }], [picture]))).toEqual([{ format: 'QRCode', text: 'PAT-4711' }])
  })

  it('where it is written in a font of bars', async () => {
    const { fonts, objects } = fontOfBars()
    const content = `${writing} BT /B 24 Tf 100 500 Td (*A1*) Tj ET`
    expect(await codesOf(pdfOf([{ content, fonts }], objects))).toEqual([{ format: 'Code39', text: 'A1' }])
  })
})

describe('a page without a picture or bars', () => {
  it('is not drawn to look for codes', async () => {
    const table = Array.from({ length: 30 }, (_, row) => `0.5 w 60 ${100 + row * 18} m 552 ${100 + row * 18} l S`)
    for (const pdf of [letterPdf(), pdfOf([{ content: [textAt(72, 700, 11, 'Table 12345'), ...table].join('\n') }])]) {
      const pages = await openPdf(pdf, 'letter', defaultLimits, 'split')
      const undrawn = { ...pages, render: () => Promise.reject(new Error('It was drawn.')) }
      expect((await readPages(undrawn, read)).codes).toEqual([])
      pages.close?.()
    }
  })

  it('has no rows that are looked at once it is drawn', async () => {
    expect(findDenseRows(await faxPageOf(letterPdf()))).toBeUndefined()
  })
})

describe('the rows of a page in which a code may stand', () => {
  const draw = (page: Bitmap, x: number, y: number, width: number, height: number) => {
    for (let row = y; row < y + height; row++) fillRun(page.words, row * page.rowWords, x, x + width)
  }

  it('are those of bars upright and lying', async () => {
    const upright = createBitmap(1728, 2156)
    const lying = createBitmap(1728, 2156)
    for (const [at, width] of bars) {
      draw(upright, 300 + 4 * at, 900, 4 * width, 120)
      draw(lying, 300, 900 + 4 * at, 120, 4 * width)
    }
    for (const page of [upright, lying]) {
      const rows = findDenseRows(page)
      expect(rows!.top).toBeLessThan(900)
      expect(rows!.bottom).toBeLessThan(1400)
      expect(await codesOn(page)).toEqual([{ format: 'Code39', text: 'A1' }])
    }
  })
})
