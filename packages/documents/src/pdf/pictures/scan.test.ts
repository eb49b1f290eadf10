import { describe, expect, it } from 'vitest'
import { type Bitmap, createBitmap, fillRun } from '../../raster/bitmap.ts'
import { defaultLimits } from '../../base/limits.ts'
import { PdfDocument } from '../document.ts'
import { startPdfium } from '../engine.ts'
import { openPdf } from '../pages.ts'
import { encodeT6 } from '../../t4-t6/t6-encode.ts'
import { pdfOf, streamOf, textAt } from '../../testing/pdf-samples.ts'

const [width, height] = [1700, 2200]

/** A scan at 200 dots an inch: lines of blocks, up to the right edge. */
function scanned(): Bitmap {
  const bitmap = createBitmap(width, height)
  for (let y = 200; y < 2000; y++) {
    if (y % 40 >= 24) continue
    for (let x = 150; x < width; x += 37)
      fillRun(bitmap.words, y * bitmap.rowWords, x, Math.min(width, x + 5 + (y % 7)))
  }
  return bitmap
}

const data = Buffer.from(encodeT6(scanned())).toString('latin1')
const parameters = `/K -1/Columns ${width}/Rows ${height}`
const imageOf = (entries = '', codes = parameters, bytes = data) =>
  streamOf(
    bytes,
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 1/ColorSpace/DeviceGray` +
      `/Filter/CCITTFaxDecode/DecodeParms<<${codes}>>${entries}`,
  )
const cover = 'q 612 0 0 792 0 0 cm /X Do Q'
const pageOf = (content = cover, image = imageOf(), entries = '') => pdfOf([{ content, entries }], [image])

async function scanOf(pdf: Buffer): Promise<Bitmap | undefined> {
  const document = new PdfDocument(await startPdfium(), pdf, defaultLimits)
  try {
    const scan = document.scan(0)
    return scan && 'bitmap' in scan ? scan.bitmap : undefined
  } finally {
    document.close()
  }
}

describe('a page that is one bilevel image', () => {
  it('is taken as it is coded', async () => {
    expect(await scanOf(pageOf())).toEqual(scanned())
  })

  it.each([
    ['with the words that were read on it, unseen', pageOf(`BT 3 Tr /F1 10 Tf 72 700 Td (read) Tj ET ${cover}`)],
    ['with codes and colors turned twice', pageOf(cover, imageOf('/Decode[1 0]', `${parameters}/BlackIs1 true`))],
  ])('is taken %s', async (_, pdf) => {
    expect(await scanOf(pdf)).toEqual(scanned())
  })

  it.each([
    ['type stands on it', pageOf(`${cover} ${textAt(72, 700, 12, 'Received')}`)],
    ['it leaves a margin', pageOf('q 600 0 0 780 6 6 cm /X Do Q')],
    ['it is upside down', pageOf('q 612 0 0 -792 0 792 cm /X Do Q')],
    ['it is clipped', pageOf(`q 0 0 300 300 re W n ${cover} Q`)],
    ['it is there twice', pageOf(`${cover} ${cover}`)],
    ['the page is turned', pageOf(cover, imageOf(), '/Rotate 90')],
    ['it is marked, as what may be hidden is', pageOf(`/OC <</Type/OCMD>> BDC ${cover} EMC`)],
    ['its colors are turned', pageOf(cover, imageOf('/Decode [ 1.0 0 ]'))],
    ['its codes mean white', pageOf(cover, imageOf('', `${parameters}/BlackIs1 true`))],
    ['it belongs to a layer', pageOf(cover, imageOf('/OC<</Type/OCG/Name(copy)>>'))],
    ['it is a stencil', pageOf(cover, imageOf('/ImageMask true'))],
    ['it is masked by colors', pageOf(cover, imageOf('/Mask[0 0]'))],
    ['rows are coded in another way', pageOf(cover, imageOf('', `/K 0/Columns ${width}`))],
    ['it is cut off', pageOf(cover, imageOf('', parameters, data.slice(0, data.length / 2)))],
    [
      'there is an annotation on it',
      pageOf(cover, imageOf(), '/Annots[<</Type/Annot/Subtype/Square/Rect[99 99 300 300]/C[0 0 0]>>]'),
    ],
  ])('is drawn when %s', async (_, pdf) => {
    expect(await scanOf(pdf)).toBeUndefined()
  })

  it('is drawn when another image of the file is coded or shown in another way', async () => {
    const pages = [{ content: cover }]
    expect(await scanOf(pdfOf(pages, [imageOf(), imageOf()]))).toBeDefined()
    expect(await scanOf(pdfOf(pages, [imageOf(), imageOf('/Decode[1 0]')]))).toBeUndefined()
  })

  it('is the page that PDFium draws, but for the edges of what is black', async () => {
    const render = async (pdf: Buffer) => {
      const opened = await openPdf(pdf, 'letter', defaultLimits, 'split')
      try {
        return await opened.render(0, 'fine', 'auto')
      } finally {
        opened.close?.()
      }
    }
    // A dot of white makes it a page that has to be drawn.
    const [taken, drawn] = [await render(pageOf()), await render(pageOf(`${cover} 1 g 1 1 1 1 re f`))]
    const black = ({ words }: Bitmap) => words.reduce((sum, word) => sum + bits(word), 0)
    const differing = taken.words.reduce((sum, word, at) => sum + bits(word ^ drawn.words[at]!), 0)
    expect(black(taken)).toBeGreaterThan(100_000)
    expect(differing / black(taken)).toBeLessThan(0.25)
    expect(Math.abs(black(taken) / black(drawn) - 1)).toBeLessThan(0.15)
  })
})

const bits = (word: number) => {
  let count = 0
  for (let left = word; left !== 0; left &= left - 1) count++
  return count
}
