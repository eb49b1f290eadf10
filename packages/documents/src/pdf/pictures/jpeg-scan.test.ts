import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../../base/limits.ts'
import { PdfDocument } from '../document.ts'
import { startPdfium } from '../engine.ts'
import { openPdf } from '../pages.ts'
import { bitsIn } from '../../raster/bitmap.ts'
import type { FaxPage } from '../../raster/page-notes.ts'
import { pdfOf, streamOf, textAt } from '../../testing/pdf-samples.ts'

const [width, height] = [1275, 1650]

/** A page at 150 dots an inch: dark strokes of many widths on paper that is not quite even, as scanners see it. */
function scanned(channels: 1 | 3 = 1) {
  const pixels = Buffer.alloc(width * height * channels)
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    const isStroke = y % 60 < 24 && x > 100 && x < 1150 && x % 47 < 3 + (Math.floor(y / 60) % 9)
    pixels.fill((isStroke ? 40 : 236) + ((x * 7 + y * 13) % 5), at * channels, (at + 1) * channels)
  }
  return sharp(pixels, { raw: { width, height, channels } })
}

const jpeg = await scanned().toColorspace('b-w').jpeg({ quality: 90 }).toBuffer()
const colored = await scanned(3).jpeg({ quality: 90 }).toBuffer()
const turned = await scanned().toColorspace('b-w').jpeg({ quality: 90 }).withMetadata({ orientation: 3 }).toBuffer()

const imageOf = (entries = '/ColorSpace/DeviceGray', bytes = jpeg, filter = '/Filter/DCTDecode', across = width) =>
  streamOf(
    bytes.toString('latin1'),
    `/Type/XObject/Subtype/Image/Width ${across}/Height ${height}/BitsPerComponent 8${filter}${entries}`,
  )
const cover = 'q 612 0 0 792 0 0 cm /X Do Q'
const pageOf = (content = cover, image = imageOf()) => pdfOf([{ content }], [image])

async function scanOf(pdf: Buffer) {
  const document = new PdfDocument(await startPdfium(), pdf, defaultLimits)
  try {
    return document.scan(0)
  } finally {
    document.close()
  }
}

async function render(pdf: Buffer): Promise<FaxPage> {
  const opened = await openPdf(pdf, 'letter', defaultLimits, 'split')
  try {
    return await opened.render(0, 'fine', 'auto')
  } finally {
    opened.close?.()
  }
}

/** The same page, drawn by PDFium: a dot of white makes it more than one image. */
const drawn = await render(pageOf(`${cover} 1 g 1 790 1 1 re f`))
const black = ({ words }: FaxPage) => words.reduce((sum, word) => sum + bitsIn(word), 0)
const share = (page: FaxPage) =>
  page.words.reduce((sum, word, at) => sum + bitsIn(word ^ drawn.words[at]!), 0) / black(drawn)

describe('a page that is one gray JPEG', () => {
  it('is taken as it is coded', async () => {
    expect(await scanOf(pageOf())).toEqual({ jpeg: new Uint8Array(jpeg), width, height })
  })

  it('is the page that PDFium draws, but for the edges of what is black', async () => {
    const taken = await render(pageOf())
    expect(black(drawn)).toBeGreaterThan(100_000)
    expect(share(taken)).toBeLessThan(0.2)
    expect(Math.abs(black(taken) / black(drawn) - 1)).toBeLessThan(0.05)
  })

  it.each([
    ['type stands on it', pageOf(`${cover} ${textAt(72, 700, 12, 'Received')}`)],
    ['it is in color', pageOf(cover, imageOf('/ColorSpace/DeviceRGB', colored))],
    ['its tones are turned', pageOf(cover, imageOf('/ColorSpace/DeviceGray/Decode[1 0]'))],
    ['it is masked', pageOf(cover, imageOf('/ColorSpace/DeviceGray/Mask[0 9]'))],
    ['it belongs to a layer', pageOf(cover, imageOf('/ColorSpace/DeviceGray/OC<</Type/OCG/Name(copy)>>'))],
    [
      'it is coded twice',
      pageOf(cover, imageOf(undefined, Buffer.from(`${jpeg.toString('hex')}>`), '/Filter[/ASCIIHexDecode /DCTDecode]')),
    ],
    ['its size is told elsewhere', pageOf(cover, imageOf(undefined, jpeg, '/Filter/DCTDecode', NaN))],
    ['another of its size is shown in another way', pdfOf([{ content: cover }], [imageOf(), imageOf('/Decode[1 0]')])],
  ])('is drawn when %s', async (_, pdf) => {
    expect(await scanOf(pdf)).toBeUndefined()
  })

  it.each([
    ['it is not the one that the PDF describes', imageOf(undefined, jpeg, '/Filter/DCTDecode', width - 3)],
    ['it asks to be turned, which a PDF does not do', imageOf(undefined, turned)],
    ['it has colors that the PDF does not know of', imageOf(undefined, colored)],
    ['it is cut off', imageOf(undefined, jpeg.subarray(0, 0.9 * jpeg.length))],
  ])('is drawn by PDFium when %s', async (_, image) => {
    const [plain, whole] = await Promise.all([
      render(pageOf(cover, image)),
      render(pageOf(`${cover} 1 g 1 790 1 1 re f`, image)),
    ])
    expect(Buffer.compare(Buffer.from(plain.words.buffer), Buffer.from(whole.words.buffer))).toBe(0)
  })
})
