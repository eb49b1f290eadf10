import { constants, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createDocuments } from '../../documents.ts'
import { isDamagedJpeg } from '../../images/image-read.ts'
import { createBitmap, fillRun } from '../../raster/bitmap.ts'
import { encodeT6 } from '../../t4-t6/t6-encode.ts'
import { pdfOf, streamOf, textAt } from '../../testing/pdf-samples.ts'
import { fineLetter } from '../../testing/samples.ts'
import { defaultLimits } from '../../base/limits.ts'

vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const [width, height] = [600, 750]
const drawing = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="600" height="750" fill="#fff"/>
  ${Array.from({ length: 60 }, (_, at) => `<circle cx="${(at * 97) % 600}" cy="${12 * at}" r="14" fill="#${at % 2 ? '345' : 'a54'}"/>`).join('')}</svg>`,
)
const picture = (channels: 'srgb' | 'b-w', progressive = false) =>
  sharp(drawing).toColorspace(channels).jpeg({ quality: 80, progressive }).toBuffer()
const [whole, gray, progressive] = await Promise.all([picture('srgb'), picture('b-w'), picture('srgb', true)])

const firstPart = (jpeg: Buffer) => jpeg.subarray(0, jpeg.length / 2)
const garbled = (jpeg: Buffer) => jpeg.map((byte, at) => (at > jpeg.length / 3 && at % 37 === 0 ? byte ^ 0x5a : byte))
const headless = (jpeg: Buffer) => Buffer.concat([jpeg.subarray(0, 180), Buffer.alloc(3000)])

const imageOf = (data: Uint8Array, space = '/DeviceRGB', coding = '/Filter/DCTDecode') =>
  streamOf(
    Buffer.from(data).toString('latin1'),
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent ${coding.includes('CCITT') ? 1 : 8}/ColorSpace${space}${coding}`,
  )
/** The lower left quarter of a letter page. */
const beside = `q 306 0 0 396 0 0 cm /X Do Q ${textAt(72, 700, 12, 'Dear Dr. Doe')}`
const notesOf = async (pdf: Buffer, page = 1) => (await documents.page(pdf, page, fineLetter))?.notes
const note = (page: number, where: string) => ({
  kind: 'lost_writing',
  text: `A picture on page ${page} is damaged in the document, ${where}. Part of it may be missing on the fax.`,
})

describe('a damaged JPEG in a PDF', () => {
  it.each([
    ['without its end', firstPart(whole)],
    ['without the end of its passes', firstPart(progressive)],
    ['with garbled data', garbled(whole)],
    ['with a broken header', headless(whole)],
    ['that is something else', Buffer.from('x'.repeat(3000))],
  ])('is named with its place: %s', async (_, jpeg) => {
    const notes = await notesOf(pdfOf([{ content: beside }], [imageOf(jpeg)]))
    expect(notes).toContainEqual({ ...note(1, 'near the bottom left'), places: [expect.anything()] })
    const { left, top, width: across, height: down } = notes![0]!.places![0]!
    expect([left, top, across, down].map((share) => Math.round(20 * share) / 20)).toEqual([0, 0.5, 0.5, 0.5])
  })

  it.each([
    ['the end', firstPart(gray)],
    ['whole data', garbled(gray)],
  ])('is named when it is all of a page and lacks %s', async (_, jpeg) => {
    const pdf = pdfOf([{ content: 'q 612 0 0 792 0 0 cm /X Do Q' }], [imageOf(jpeg, '/DeviceGray')])
    expect(await notesOf(pdf)).toMatchObject([note(1, 'in the center')])
  })

  it('is named on each page that shows it, also within a part of the page', async () => {
    const form = streamOf(
      'q 0.5 0 0 0.5 0 0 cm /X Do Q',
      '/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Matrix[1 0 0 1 0.5 0.5]/Resources<</XObject<</X 6 0 R>>>>',
    )
    const content = `q 612 0 0 792 0 0 cm /X Do Q ${textAt(72, 100, 12, 'Dear Dr. Doe')}`
    const pdf = pdfOf([{ content }, { content }], [form, imageOf(firstPart(whole))])
    for (const page of [1, 2]) expect(await notesOf(pdf, page)).toMatchObject([note(page, 'near the top right')])
  })
})

/** The frame header (ITU-T T.81, B.2.2) says that the picture has 60,000 pixels each way. */
function vast(jpeg: Buffer): Buffer {
  const made = Buffer.from(jpeg)
  const frame = made.indexOf(Buffer.of(0xff, 0xc2))
  for (const side of [frame + 5, frame + 7]) made.writeUInt16BE(60_000, side)
  return made
}

describe('a JPEG in a PDF', () => {
  it('is not decoded when it claims more pixels than a picture may have', async () => {
    expect(await isDamagedJpeg(firstPart(progressive), defaultLimits)).toBe(true)
    expect(await isDamagedJpeg(vast(firstPart(progressive)), defaultLimits)).toBe(false)
  })

  it.each([
    ['that is whole', whole],
    ['of several passes', progressive],
    ['that lacks only the mark of its end', whole.subarray(0, -2)],
    ['with bytes behind its end', Buffer.concat([whole, Buffer.from('\n\0\0 junk')])],
    ['with bytes before a mark', Buffer.concat([whole.subarray(0, -2), Buffer.alloc(7, 1), whole.subarray(-2)])],
  ])('is not called damaged: %s', async (_, jpeg) => {
    expect(await notesOf(pdfOf([{ content: beside }], [imageOf(jpeg)]))).toEqual([])
  })
})

const rows = await sharp(drawing).toColorspace('b-w').raw().toBuffer()
const deflated = deflateSync(rows)
const flate = '/Filter/FlateDecode'
const predicted = `${flate}/DecodeParms<</Predictor 15/Columns ${width}/Colors 1/BitsPerComponent 8>>`
/** Each row behind the name of its filter (PNG, 9.2), here none. */
const pngRows = Buffer.concat(
  Array.from({ length: height }, (_, y) => Buffer.concat([Buffer.of(0), rows.subarray(y * width, (y + 1) * width)])),
)

describe('a deflated picture in a PDF', () => {
  it.each([
    ['half of its data', deflated.subarray(0, deflated.length / 2), flate],
    ['a hundredth of its data', deflated.subarray(0, -deflated.length / 100), flate],
    ['all of its data', Buffer.alloc(0), flate],
    ['sense', Buffer.concat([deflated.subarray(0, 900), Buffer.alloc(deflated.length, 0xff)]), flate],
    ['half of its data, with a predictor', deflateSync(pngRows).subarray(0, deflated.length / 2), predicted],
  ])('is named when it lacks %s', async (_, data, coding) => {
    const notes = await notesOf(pdfOf([{ content: beside }], [imageOf(data, '/DeviceGray', coding)]))
    expect(notes).toMatchObject([note(1, 'near the bottom left')])
  })

  it.each([
    ['that is whole', deflated, flate],
    ['with a predictor', deflateSync(pngRows), predicted],
    ['that lacks only its checksum', deflated.subarray(0, -4), flate],
    ['whose data was never ended', deflateSync(rows, { finishFlush: constants.Z_SYNC_FLUSH }), flate],
    ['with bytes behind its end', Buffer.concat([deflated, Buffer.from('\r\n')]), flate],
    ['that holds more rows than it shows', deflateSync(Buffer.concat([rows, Buffer.alloc(9_000_000)])), flate],
  ])('is not called damaged: %s', async (_, data, coding) => {
    expect(await notesOf(pdfOf([{ content: beside }], [imageOf(data, '/DeviceGray', coding)]))).toEqual([])
  })
})

describe('a picture of T.6 codes in a PDF', () => {
  const bitmap = createBitmap(width, height)
  for (let y = 0; y < height; y++) fillRun(bitmap.words, y * bitmap.rowWords, (y * 7) % 300, 300 + ((y * 11) % 300))
  const codes = Buffer.from(encodeT6(bitmap))
  const shorter = Buffer.from(encodeT6({ ...bitmap, height: height / 2 }))
  const pictureOf = (data: Uint8Array, white = '/BlackIs1 false') =>
    imageOf(data, '/DeviceGray', `/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${width}/Rows ${height}${white}>>`)
  const all = 'q 612 0 0 792 0 0 cm /X Do Q'

  it.each([
    ['beside text', beside, 'near the bottom left'],
    ['as all of a page', all, 'in the center'],
  ])('is named when it is cut off: %s', async (_, content, where) => {
    const cut = codes.subarray(0, codes.length / 2)
    expect(await notesOf(pdfOf([{ content }], [pictureOf(cut)]))).toMatchObject([note(1, where)])
  })

  it('is not decoded when it claims more pixels than a picture may have', async () => {
    const vast = pictureOf(codes.subarray(0, codes.length / 2)).replace(/Height \d+/, 'Height 60000')
    const wide = vast.replace(`/Width ${width}`, '/Width 60000').replace(`Columns ${width}`, 'Columns 60000')
    expect(await notesOf(pdfOf([{ content: beside }], [wide]))).toEqual([])
  })

  it.each([
    ['that is whole', codes],
    ['that ends by itself before its height', shorter],
    ['that lacks only the mark of its end', codes.subarray(0, -3)],
  ])('is not called damaged: %s', async (_, data) => {
    for (const content of [beside, all]) {
      expect(await notesOf(pdfOf([{ content }], [pictureOf(data)]))).toEqual([])
    }
  })
})
