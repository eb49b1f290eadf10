import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { shrinkPicture } from '../../images/shrink-picture.ts'
import { defaultLimits } from '../../base/limits.ts'
import { pdfOf, streamOf, textAt } from '../../testing/pdf-samples.ts'
import { PdfDocument } from '../document.ts'
import { startPdfium } from '../engine.ts'

const [width, height, rows] = [2000, 2600, 2156]
const place = { left: 0, top: 0, width: 1728, height: rows, turned: false }

/** Rings of color, so that every way of turning and flipping shows. */
const pixels = Buffer.alloc(width * height * 3)
for (let y = 0, at = 0; y < height; y++) {
  for (let x = 0; x < width; x++, at += 3) {
    const ring = Math.hypot(x - 500, y - 600) / 90
    pixels.set([128 + 120 * Math.sin(ring), (255 * x) / width, (255 * y) / height], at)
  }
}
const colored = sharp(pixels, { raw: { width, height, channels: 3 } })
const filtered = Buffer.concat(
  Array.from({ length: height }, (_, y) => [Buffer.of(0), pixels.subarray(y * width * 3, (y + 1) * width * 3)]).flat(),
)
const png = `/DecodeParms<</Predictor 15/Colors 3/Columns ${width}>>`
const data = {
  jpeg: await colored.jpeg({ quality: 95 }).toBuffer(),
  plain: deflateSync(pixels, { level: 1 }),
  filtered: deflateSync(filtered, { level: 1 }),
}
const imageOf = (kind: keyof typeof data, entries = '', bytes: Buffer = data[kind]) =>
  streamOf(
    bytes.toString('latin1'),
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/DeviceRGB` +
      `/Filter/${kind === 'jpeg' ? 'DCTDecode' : 'FlateDecode'}${kind === 'filtered' ? png : ''}${entries}`,
  )
const cover = 'q 500 0 0 700 56 46 cm /X Do Q'
const pageOf = (image: string, content = cover, entries = '') =>
  pdfOf([{ content: `${content} ${textAt(72, 760, 12, 'Letters stay as they are')}`, entries }], [image])

async function drawn(pdf: Buffer, shrinks: boolean) {
  const document = new PdfDocument(await startPdfium(), pdf, defaultLimits)
  try {
    const shrunk = []
    for (const picture of shrinks ? document.largePictures(0, place) : []) {
      const gray = await shrinkPicture(picture, defaultLimits)
      if (gray) shrunk.push({ index: picture.index, gray })
    }
    const gray = document.render(0, place, rows, (page) => page.pixels.slice(), 'fine', shrunk)
    return { gray, shrunk: shrunk.length, coded: document.frailPictures.coded.length }
  } finally {
    document.close()
  }
}

/** The mean difference of tones. */
function difference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += Math.abs(one[at]! - other[at]!)
  return sum / one.length
}

describe('a picture with more pixels than the fax page shows', () => {
  it.each([
    ['a JPEG', pageOf(imageOf('jpeg'))],
    ['deflated pixels', pageOf(imageOf('plain'))],
    ['deflated rows with filters', pageOf(imageOf('filtered'))],
    ['one that stands on its head', pageOf(imageOf('jpeg'), 'q -500 0 0 -700 556 746 cm /X Do Q')],
    ['one that is turned', pageOf(imageOf('plain'), 'q 0 500 -500 0 556 46 cm /X Do Q')],
    ['one on a page that is turned', pageOf(imageOf('jpeg'), cover, '/Rotate 90')],
    ['one that is clipped', pageOf(imageOf('jpeg'), `100 100 300 200 re W n ${cover}`)],
    ['one askew', pageOf(imageOf('jpeg'), 'q 450 80 -80 600 120 46 cm /X Do Q')],
  ])('is shrunk first, and looks as PDFium draws it: %s', async (_, pdf) => {
    const [usual, first] = [await drawn(pdf, false), await drawn(pdf, true)]
    expect(first.shrunk).toBe(1)
    expect(difference(usual.gray, new Uint8Array(usual.gray.length).fill(255))).toBeGreaterThan(8)
    expect(difference(usual.gray, first.gray)).toBeLessThan(1.2)
  })

  it.each([
    ['it is masked', pageOf(imageOf('jpeg', '/Mask[0 9 0 9 0 9]'))],
    ['its colors are turned', pageOf(imageOf('jpeg', '/Decode[1 0 1 0 1 0]'))],
    ['its parameters stand elsewhere', pageOf(imageOf('plain', '/DecodeParms 3 0 R'))],
    ['its rows are filtered otherwise', pageOf(imageOf('plain', '/DecodeParms<</Predictor 2/Colors 3/Columns 2000>>'))],
    ['it is shown in all its pixels', pageOf(imageOf('jpeg'), 'q 900 0 0 1100 0 0 cm /X Do Q')],
  ])('is left to PDFium when %s', async (_, pdf) => {
    expect((await drawn(pdf, true)).shrunk).toBe(0)
  })

  it.each(['jpeg', 'plain', 'filtered'] as const)(
    'is left to PDFium, which draws what there is of it, when it is damaged: %s',
    async (kind) => {
      const cut = data[kind].subarray(0, data[kind].length / 2)
      expect(await drawn(pageOf(imageOf(kind, '', cut)), true)).toMatchObject({ shrunk: 0, coded: 1 })
    },
  )
})
